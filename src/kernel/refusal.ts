/** The codes of a refusal: texts that a program compares, never values or messages. */
export type RefusalCodes = { readonly code: string | null; readonly subCode: string | null }

/** How another system refused a request; the cause of an AppError. Its message has no text of the other system, which can quote a person. */
export class Refusal extends Error {
  readonly codes: RefusalCodes

  constructor(codes: RefusalCodes, message = `refused: ${codeText(codes)}`) {
    super(message)
    this.name = 'Refusal'
    this.codes = codes
  }
}

/** The refusal behind an error; null if no other system refused. */
export function refusalOf(error: unknown): Refusal | null {
  const cause: unknown = error instanceof Error ? error.cause : null
  return cause instanceof Refusal ? cause : null
}

/** `BAD_USER_INPUT / INVALID_URL`. */
export function codeText({ code, subCode }: RefusalCodes): string {
  return [code, subCode].filter((text) => text !== null).join(' / ') || 'no code'
}
