import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { modelKey, modelName } from '../accounts.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'
import { chatAsk, type ModelAsk, responsesAsk } from './ask.ts'
import {
  type AnswerForm,
  endedBy,
  formsSchema,
  type Manner,
  mannerSchema,
  refusalAs,
  refusalSchema,
  refusedForm,
  styled,
} from './manner.ts'
import { type Break, chatAnswer, type Saying } from './chat-completions.ts'
import { type Obedience, type Reply, replyTo } from './reply.ts'
import { responsesAnswer } from './responses.ts'
import { strictFault } from './strict-schema.ts'

const obedienceSchema = z.union([z.literal(false), z.enum(['within', 'beyond'])])
const delaySchema = z.strictObject({ ms: z.number().nonnegative().default(0), tokenMs: z.number().nonnegative().default(0) })
const timesSchema = z.strictObject({ times: z.int().positive().default(1) })
const endSchema = z.strictObject({ reason: z.enum(['length', 'content_filter']) })
const callsSchema = z.array(z.strictObject({ name: z.string(), arguments: z.string() })).min(1)
const breakSchema = z.strictObject({ after: z.int().nonnegative(), how: z.enum(['error', 'cut']) })
const nextSchema = z.union([z.string(), z.record(z.string(), z.unknown())])

/** How a test makes the model say something particular. Each is also `POST /_sandbox/<name>`. */
export interface ModelCommands {
  /** The next answer, whatever is asked; several wait in line. An object is said as JSON. */
  answerNext(answer: string | Readonly<Record<string, unknown>>): void
  /** The next answer calls exactly these tools. Several answers are queued, together with those of `answerNext`. */
  callNext(calls: z.input<typeof callsSchema>): void
  /** The next stream ends after so many pieces: with the vendor's error, or cut off. */
  breakNext(input: z.input<typeof breakSchema>): void
  /** Makes the model gullible: it follows instructions in the data of the prompt. */
  obey(obedience: Obedience): void
  /** The next structured answers are cut in the middle of their JSON. */
  malformNext(input?: z.input<typeof timesSchema>): void
  /** How it writes the answer to a form, until changed. Servers differ in how far they hold a model to JSON. */
  write(manner: Manner): void
  /** The forms of answers that it takes, until changed: at first all. */
  takeForms(forms: readonly AnswerForm[]): void
  /** The next answer ends early: at the limit of its length, or by the filter, which leaves nothing of it. Several wait in line. */
  endNext(input: z.input<typeof endSchema>): void
  /** The next requests are refused as vendors do: `quota` (429) and `credit` (402) are used up, `limit` (429) passes, `filter` is Azure's (400). */
  refuseNext(input: z.input<typeof refusalSchema>): void
  /** Before each answer, and between the tokens of a stream; until changed. */
  pace(input: z.input<typeof delaySchema>): void
}

export type ModelStandIn = StandIn & ModelCommands
export type ModelStandInOptions = { readonly port?: number; readonly clock?: Clock; readonly key?: string }

type ModelState = {
  readonly clock: Clock
  readonly key: string
  readonly planned: Reply[]
  readonly breaks: Break[]
  readonly ends: z.output<typeof endSchema>['reason'][]
  manner: Manner
  forms: readonly AnswerForm[]
  refusals: z.output<typeof refusalSchema>[]
  obedience: Obedience
  malformed: number
  pace: z.output<typeof delaySchema>
  count: number
}

/** A model behind OpenAI's wire, `/v1/chat/completions` and `/v1/responses`: the same prompt always gives the same answer. */
export async function startModels(options: ModelStandInOptions = {}): Promise<ModelStandIn> {
  const state: ModelState = {
    clock: options.clock ?? systemClock,
    key: options.key ?? modelKey,
    planned: [],
    breaks: [],
    ends: [],
    manner: 'json',
    forms: ['json_schema', 'json_object'],
    refusals: [],
    obedience: false,
    malformed: 0,
    pace: delaySchema.parse({}),
    count: 0,
  }
  const commands = commandsOf(state)
  const standIn = await startStandIn({
    name: 'models',
    ...(options.port === undefined ? {} : { port: options.port }),
    commands: {
      callNext: (input) => commands.callNext(callsSchema.parse(input)),
      breakNext: (input) => commands.breakNext(breakSchema.parse(input)),
      answerNext: (input) => commands.answerNext(nextSchema.parse(input)),
      obey: (input) => commands.obey(obedienceSchema.parse(input)),
      malformNext: (input) => commands.malformNext(timesSchema.parse(input ?? {})),
      write: (input) => commands.write(mannerSchema.parse(input)),
      takeForms: (input) => commands.takeForms(formsSchema.parse(input)),
      endNext: (input) => commands.endNext(endSchema.parse(input)),
      refuseNext: (input) => commands.refuseNext(refusalSchema.parse(input)),
      pace: (input) => commands.pace(delaySchema.parse(input)),
    },
    handle: (request) => handle(state, request),
  })
  return { ...standIn, ...commands }
}

function commandsOf(state: ModelState): ModelCommands {
  return {
    answerNext: (next) => void state.planned.push({ text: typeof next === 'string' ? next : JSON.stringify(next), toolCalls: [] }),
    callNext(calls) {
      const planned = `planned_${state.count}_${state.planned.length}`
      state.planned.push({ text: '', toolCalls: calls.map((call, index) => ({ ...call, id: `${planned}_${index}` })) })
    },
    breakNext: (input) => void state.breaks.push(breakSchema.parse(input)),
    obey: (next) => void (state.obedience = next),
    malformNext: (input) => void (state.malformed = timesSchema.parse(input ?? {}).times),
    write: (next) => void (state.manner = next),
    takeForms: (forms) => void (state.forms = forms),
    endNext: (input) => void state.ends.push(endSchema.parse(input).reason),
    refuseNext: (input) => void state.refusals.push(...Array.from({ length: input.times ?? 1 }, () => refusalSchema.parse(input))),
    pace: (input) => void (state.pace = delaySchema.parse(input)),
  }
}

async function handle(state: ModelState, request: StandInRequest): Promise<StandInAnswer> {
  const { method, path, headers } = request
  if (headers.authorization === undefined) return refusal(401, "You didn't provide an API key.", null)
  if (headers.authorization !== `Bearer ${state.key}`) return refusal(401, 'Incorrect API key provided.', 'invalid_api_key')
  if (method === 'GET' && path === '/v1/models') {
    return { body: { object: 'list', data: [{ id: modelName, object: 'model', created: 0, owned_by: 'sandbox' }] } }
  }
  if (method !== 'POST') return refusal(405, `Not allowed to ${method} on ${path}.`, 'method_not_supported')
  try {
    if (path === '/v1/chat/completions') return await answer(state, chatAsk(JSON.parse(request.body.toString())), chatAnswer)
    if (path === '/v1/responses') return await answer(state, responsesAsk(JSON.parse(request.body.toString())), responsesAnswer)
  } catch (error) {
    if (error instanceof SyntaxError) return refusal(400, 'We could not parse the JSON body of your request.', null)
    if (error instanceof z.ZodError) return refusal(400, z.prettifyError(error), null)
    throw error
  }
  return refusal(404, `Invalid URL (${method} ${path})`, null)
}

async function answer(state: ModelState, ask: ModelAsk, render: (saying: Saying) => StandInAnswer): Promise<StandInAnswer> {
  const refused = state.refusals.shift()
  if (refused) return refusalAs(refused.as)
  if (ask.model !== modelName)
    return refusal(404, `The model '${ask.model}' does not exist or you do not have access to it.`, 'model_not_found')
  const fault = typeof ask.format === 'object' && ask.format.strict ? strictFault(ask.format.schema, ask.format.name) : null
  if (fault !== null) return refusal(400, fault, 'invalid_json_schema')
  const unavailable = refusedForm(ask, state.forms)
  if (unavailable !== null) return refusal(400, unavailable, 'invalid_request_error')
  if (state.pace.ms > 0) await delay(state.pace.ms)
  const reply = decide(state, ask)
  state.count += 1
  const output = reply.text + reply.toolCalls.map((call) => call.arguments).join('')
  const input = ask.instructions + ask.messages.map((message) => message.text).join('')
  return render({
    ask,
    reply,
    id: `sandbox-${state.count}`,
    createdAt: state.clock.now(),
    tokens: { input: tokensIn(input), output: tokensIn(output) },
    tokenDelayMs: state.pace.tokenMs,
    broken: (ask.stream ? state.breaks.shift() : undefined) ?? null,
  })
}

function decide(state: ModelState, ask: ModelAsk): Reply {
  const { clock, manner, obedience } = state
  const reply = endedBy(state.ends.shift(), state.planned.shift() ?? styled(ask, replyTo(ask, obedience, clock.now()), manner))
  if (state.malformed === 0 || ask.format === 'text') return reply
  state.malformed -= 1
  return { ...reply, text: reply.text.slice(0, Math.ceil(reply.text.length / 2)) }
}

function refusal(status: number, message: string, code: string | null): StandInAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } }
}

/** About four characters make a token. */
function tokensIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4))
}
