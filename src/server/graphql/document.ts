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
  for (let token = document.loc?.startToken; token; token = token.next ?? undefined) {
    if (token.kind === TokenKind.NAME) checkLimit('nameChars', token.end - token.start, fixedLimits.nameChars)
  }
  checkLimits(document, limits)
  return document
}

function parsed(text: string, limits: DocumentLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    // The parser recurses as deep as the document nests.
    if (error instanceof RangeError) throw new AppError('INVALID_INPUT', { detail: 'The document nests too deeply' })
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
