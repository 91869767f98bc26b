import { cut } from '../../kernel/errors.ts'

const maxChars = 300
/** Names in a message are limited, so that what is left out of longer ones is a value. */
const readChars = 1_000

/** A message of graphql's about a document, without values: they may be secrets, or as large as the request. */
export function publicMessage(message: string): string {
  const text = message
    .slice(0, readChars)
    .replace(/(cannot represent (?:an? )?[\w -]{0,60}?)(?: value)?: .*$/s, '$1')
    .replace(/^(Expected value of type .*?), found .*$/s, '$1')
    .replace(/^(Syntax Error: .*?\b(?:String|BlockString)) ".*$/s, '$1')
    .replace(/^Value ".*" (does not exist in )/s, 'The value $1')
  return cut(text, maxChars)
}
