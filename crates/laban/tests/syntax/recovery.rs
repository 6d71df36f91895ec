//! One mistake, one message.
