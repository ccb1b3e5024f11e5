/** The source of a regular expression for code in Markdown, in which nothing is a link or a tag. Needs the flag `m`. */
export const code = '^(?:```|~~~)[\\s\\S]*?^(?:```|~~~)|`[^`\\n]*`';
