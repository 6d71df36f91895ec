//! The address of a page with texts in it.
//!
//! What comes after `#` is read by the page and is not sent to anybody: `1.`, and then JSON with the texts, compressed
//! (deflate) and written in the letters of addresses (base64url).

use miniz_oxide::deflate::compress_to_vec;
use serde_json::json;

/// Browsers do not follow much longer addresses.
const LONGEST: usize = 200_000;

/// The path and fragment that show these texts, each with its name; nothing if they are too long.
pub(crate) fn path_to(texts: &[(String, String)]) -> Option<String> {
    let texts: Vec<_> = texts.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    let packed = compress_to_vec(json!({ "texts": texts }).to_string().as_bytes(), 9);
    let path = format!("/#1.{}", base64url(&packed));
    (path.len() <= LONGEST).then_some(path)
}

/// Bytes in the letters that are safe in addresses, without padding.
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| group.get(index).map_or(0, |&byte| u32::from(byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=group.len() {
            let letter = (bits >> (18 - 6 * place)) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("??>", "Pz8-")]
        {
            assert_eq!(base64url(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn what_is_too_long_for_an_address_has_none() {
        let text = |length: u32| (0..length).map(|number| number.wrapping_mul(2_654_435_761).to_string()).collect();
        assert!(path_to(&[("a".to_string(), text(100))]).is_some_and(|path| path.starts_with("/#1.")));
        assert_eq!(path_to(&[("a".to_string(), text(200_000))]), None);
    }
}
