/** Marks that turn round what follows them, so that a text looks like another one. */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu

/** A pasted phone number or name often has some, which nobody sees. */
export function withoutTurning(text: string): string {
  return text.replaceAll(turning, '')
}

/** With a scheme, or `www.`: what programs make links of. */
const address = /\b(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)\S*/giu

/**
 * The text in one line, without the characters that no text for people may have: control characters, direction overrides and halves of pairs. All
 * others are what somebody said: joiners (U+200C, U+200D) belong to the words of many languages. What a sign means to HTML or Markdown is for the
 * place where the text is shown.
 */
export function oneLine(text: string): string {
  return withoutTurning(text.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

/** What a model or a stranger wrote, in one line of at most so many characters, without addresses that lead people elsewhere. */
export function plainText(text: string, longest: number): string {
  // It may have any length, and only the beginning is used.
  const withoutAddresses = oneLine(text.slice(0, 4 * longest)).replaceAll(address, ' ')
  return shortened(withoutAddresses.replaceAll(/ +/g, ' ').trim(), longest)
}

const graphemes = new Intl.Segmenter()

/** The text, or its beginning with `…`: up to a space if one is near, never a part of what people see as one character. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const space = text.lastIndexOf(' ', longest - 1)
  const end = space > longest / 2 ? space : (graphemes.segment(text).containing(longest - 1)?.index ?? 0)
  return `${text.slice(0, end)}…`
}
