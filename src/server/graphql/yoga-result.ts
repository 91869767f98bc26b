import { type OperationOutcome, statusFor } from './answer.ts'
import { isRecord } from './envelope.ts'

/** The outcome as Yoga's result; a refused one has the status of its code. */
export function resultOf(outcome: OperationOutcome): Record<string, unknown> {
  const value: unknown = 'result' in outcome ? JSON.parse(JSON.stringify(outcome.result)) : JSON.parse(Buffer.from(outcome.body).toString())
  return isRecord(value) ? withHttp(value) : {}
}

/** `extensions.http` of an upstream would set our status; without one, Yoga answers 500 if there is no data. */
function withHttp(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { extensions, errors, ...rest } = result
  const clean = (holder: unknown): unknown => {
    if (!isRecord(holder) || !isRecord(holder['extensions'])) return holder
    const { http: _http, ...others } = holder['extensions']
    return { ...holder, extensions: others }
  }
  return {
    ...rest,
    ...(Array.isArray(errors) && { errors: errors.map((error) => ('data' in rest ? clean(error) : refused(error, result))) }),
    ...(isRecord(extensions) && { extensions: Object.fromEntries(Object.entries(extensions).filter(([name]) => name !== 'http')) }),
  }
}

function refused(error: unknown, result: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(error)) return error
  const http = { spec: true, status: statusFor(result, 'application/graphql-response+json') }
  const extensions = { ...(isRecord(error['extensions']) && error['extensions']) }
  // Not enumerable, so that it is not written: Yoga leaves it out of errors that are objects of graphql only.
  return { ...error, extensions: Object.defineProperty(extensions, 'http', { value: http }) }
}
