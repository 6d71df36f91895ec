//! Comments of ChorGram: `.. to the end of the line`, `[ … ]` and `[[ … ]]`.

/// The text with blanks in place of comments, and the same places; where a comment starts that is never closed.
pub(super) fn without_comments(text: &str) -> (String, Option<usize>) {
    let mut without = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let start = match (rest.find(".."), rest.find('[')) {
            (Some(line), Some(block)) => line.min(block),
            (found, other) => match found.or(other) {
                Some(start) => start,
                None => break,
            },
        };
        let (before, comment) = rest.split_at(start);
        without.push_str(before);
        let end = if comment.starts_with("..") {
            comment.find('\n').unwrap_or(comment.len())
        } else {
            let close = if comment.starts_with("[[") { "]]" } else { "]" };
            match comment.find(close) {
                Some(end) => end + close.len(),
                None => {
                    without.push_str(comment);
                    return (without, Some(text.len() - comment.len()));
                }
            }
        };
        let (comment, after) = comment.split_at(end);
        without.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = after;
    }
    without.push_str(rest);
    (without, None)
}
