import { type DocumentNode, parse, TokenKind } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { checkLimit, checkLimits, type DocumentLimits, fixedLimits } from './limits.ts'

/**
 * Parses the text of a client. Throws INVALID_INPUT if it exceeds a limit, and graphql's error if it has a syntax error. Lines are limited, because
 * the place of each error is found by counting them; names, because messages repeat them.
 */
export function parseDocument(text: string, limits: DocumentLimits): DocumentNode {
  checkLimit('lines', countLines(text), fixedLimits.lines)
  const document = parsed(text, limits)
  let depth = 0
  for (let token = document.loc?.startToken; token; token = token.next ?? undefined) {
    if (token.kind === TokenKind.NAME) checkLimit('nameChars', token.end - token.start, fixedLimits.nameChars)
    depth += openings.has(token.kind) ? 1 : closings.has(token.kind) ? -1 : 0
    if (depth > mostNested) throw tooDeep()
  }
  checkLimits(document, limits)
  return document
}

/** Everything that visits a document recurses as deep as it nests. */
const mostNested = 500
const openings: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closings: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

function tooDeep(): AppError {
  return new AppError('INVALID_INPUT', { detail: 'The document nests too deeply' })
}

function parsed(text: string, limits: DocumentLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    // The parser recurses as deep as the document nests.
    if (error instanceof RangeError) throw tooDeep()
    if (error instanceof Error && error.message.includes('Parsing aborted'))
      throw new AppError('INVALID_INPUT', { detail: `The document has more than ${limits.tokens} tokens` })
    throw error
  }
}

/** Stops above the limit. */
function countLines(text: string): number {
  let lines = 1
  for (let index = 0; index < text.length && lines <= fixedLimits.lines; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || code === 0x0d) lines += 1
  }
  return lines
}
