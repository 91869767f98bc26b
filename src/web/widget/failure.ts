import { asList, asNumberOrNull, asRecord, asText, parseJson } from './json.ts'

/** Why a request failed, with the service's message if there is one. */
export class Failure extends Error {
  /** 0 if there was no answer. */
  readonly status: number
  readonly code: string
  readonly retryAfterSeconds: number | null
  /** What is wrong with which field of the input. */
  readonly fields: readonly { readonly path: string; readonly message: string }[]

  constructor(status: number, problem: unknown = null, retryAfterSeconds: number | null = null) {
    const { detail, code, data } = asRecord(problem)
    super(asText(detail))
    this.status = status
    this.code = asText(code)
    this.retryAfterSeconds = retryAfterSeconds ?? asNumberOrNull(asRecord(data)['retryAfterSeconds'])
    this.fields = asList(asRecord(data)['fields']).map((entry) => {
      const { path, message } = asRecord(entry)
      return { path: asText(path), message: asText(message) }
    })
  }

  /** Whether the same request may go well later: no answer, a fault of the service, or one that says when. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.retryAfterSeconds !== null
  }
}

export async function failureOf(response: Response): Promise<Failure> {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Failure(response.status, parseJson(text), Number.isFinite(seconds) ? seconds : null)
}

/** Anything that was thrown. */
export function toFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(0)
}
