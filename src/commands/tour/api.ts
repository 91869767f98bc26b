import { z } from 'zod'

/** A failed step. The message is written for the person who runs the tour. */
export class StepFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFault'
  }
}

export type Answer = {
  /** `POST /auth/login` */
  readonly request: string
  readonly status: number
  readonly body: unknown
}

export type Sent = { readonly token?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** The service's public API, as any client uses it. Throws StepFault if a request gets no answer. */
export type Api = {
  readonly address: string
  /** Aborts every request of the tour. */
  readonly until: AbortSignal
  rest(method: string, path: string, sent?: Sent): Promise<Answer>
  /** The `data` of the answer. Throws StepFault if the answer has errors. */
  graphql(query: string, options: { readonly token: string; readonly variables?: Readonly<Record<string, unknown>> }): Promise<unknown>
}

const requestDeadlineMs = 20_000

export function createApi(address: string, until: AbortSignal): Api {
  const rest: Api['rest'] = async (method, path, { token, body, headers } = {}) => {
    const request = `${method} ${path}`
    try {
      const response = await fetch(address + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.any([until, AbortSignal.timeout(requestDeadlineMs)]),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { request, status: response.status, body: jsonOf(await response.text()) }
    } catch (cause) {
      throw noAnswer({ request, address, cause })
    }
  }
  return {
    address,
    until,
    rest,
    async graphql(query, { token, variables }) {
      const answer = await rest('POST', '/graphql', { token, body: { query, variables } })
      const { data, errors } = read(answer, 200, graphqlSchema)
      const [error] = errors ?? []
      if (error) throw new StepFault(`${answer.request} answered ${error.extensions?.code ?? 'an error'}: ${error.message}`)
      return data
    },
  }
}

const graphqlSchema = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() })).optional(),
})

export const problemSchema = z.object({
  status: z.number(),
  code: z.string(),
  reason: z.string(),
  detail: z.string(),
})

/** The body of an answer. Throws StepFault if the status or the shape is not the expected one. */
export function read<Schema extends z.ZodType>({ request, status, body }: Answer, expected: number, schema: Schema): z.output<Schema> {
  if (status !== expected) {
    const problem = problemSchema.safeParse(body)
    const summary = problem.success ? ` ${problem.data.code}: ${problem.data.detail}` : ''
    throw new StepFault(`${request} answered ${status}${summary || `, not ${expected}`}`)
  }
  return readShape(body, schema, request)
}

export function readShape<Schema extends z.ZodType>(value: unknown, schema: Schema, request: string): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StepFault(`${request} answered in another shape than it should: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

function noAnswer({ request, address, cause }: { request: string; address: string; cause: unknown }): StepFault {
  if (cause instanceof DOMException) return new StepFault(`${request} was not answered in time`, { cause })
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
  return new StepFault(`nothing answers at ${address} (${reason}); start the service with "npm start", or give its address`, { cause })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
