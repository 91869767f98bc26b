import { z } from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { OutboundAccount } from '../accounts.ts'
import { createAgenda } from '../agenda.ts'
import { type Callback, createCallbackSender } from '../send-webhook.ts'
import { served } from '../speech/audio.ts'
import { recordingNamed, recordingNames } from '../speech/recordings.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'
import { accountOf, connectRequest, restException, xml } from './connect.ts'
import { callbackBody, connectBody, detailsBody, type ExotelCall } from './exotel-call.ts'

export type OutboundStandInOptions = {
  readonly port?: number
  readonly clock?: Clock
  readonly callbackRetryDelaysMs?: readonly number[]
  readonly requestsPerMinute?: number
  /** Parties who pick up and hang up by themselves; without it, a call rings until a command answers or ends it. */
  readonly dialledCalls?: { readonly ringMs: number; readonly talkMs: number }
}

const callSchema = z.strictObject({ callId: z.string() })
const endSchema = callSchema.extend({ status: z.enum(['completed', 'failed', 'busy', 'no-answer']).optional() })

export interface OutboundCommands {
  /** From now on nobody picks up or hangs up without a command. */
  waitForCommands(): void
  /** The agent has picked up; the customer's phone rings. */
  answerByAgent(input: z.input<typeof callSchema>): void
  /** Both parties have picked up. */
  answer(input: z.input<typeof callSchema>): void
  /** Ends the call. The default status is `completed` if the agent or both have answered, else `no-answer`. */
  hangUp(input: z.input<typeof endSchema>): void
  call(input: z.input<typeof callSchema>): Readonly<ExotelCall>
  /** The ids of all calls, oldest first. */
  callIds(): readonly string[]
  callbacks(): readonly Callback[]
}
export type OutboundStandIn = StandIn & OutboundCommands

type OutboundState = {
  readonly options: OutboundStandInOptions
  readonly clock: Clock
  readonly agenda: ReturnType<typeof createAgenda>
  readonly sender: ReturnType<typeof createCallbackSender>
  readonly calls: Map<string, ExotelCall>
  /** By account. */
  readonly requestsAt: Map<string, readonly number[]>
  baseUrl: string
  play: OutboundStandInOptions['dialledCalls'] | null
}

/** The second telephony provider, Exotel: outbound calls, their webhooks and their recordings; accounts in `accounts.ts`. */
export async function startOutboundTelephony(options: OutboundStandInOptions = {}): Promise<OutboundStandIn> {
  const clock = options.clock ?? systemClock
  const agenda = createAgenda(clock)
  const sender = createCallbackSender(agenda, options.callbackRetryDelaysMs ?? [300, 1_500])
  const state: OutboundState = {
    options,
    clock,
    agenda,
    sender,
    calls: new Map(),
    requestsAt: new Map(),
    baseUrl: '',
    play: options.dialledCalls,
  }
  const commands = commandsOf(state)
  const standIn = await startStandIn({
    name: 'outbound',
    ...(options.port === undefined ? {} : { port: options.port }),
    commands: {
      waitForCommands: () => commands.waitForCommands(),
      answerByAgent: (input) => commands.answerByAgent(callSchema.parse(input)),
      answer: (input) => commands.answer(callSchema.parse(input)),
      hangUp: (input) => commands.hangUp(endSchema.parse(input)),
      call: (input) => commands.call(callSchema.parse(input)),
      callIds: () => commands.callIds(),
      callbacks: () => commands.callbacks(),
    },
    handle: (request) => handle(state, commands, request),
  })
  state.baseUrl = standIn.url
  return {
    ...standIn,
    ...commands,
    async [Symbol.asyncDispose]() {
      agenda[Symbol.dispose]()
      await sender[Symbol.asyncDispose]()
      await standIn[Symbol.asyncDispose]()
    },
  }
}

function commandsOf(state: OutboundState): OutboundCommands {
  const { calls, clock, sender } = state
  const callOf = (callId: string): ExotelCall => {
    const call = calls.get(callId)
    if (!call) throw new Error(`no call ${callId}`)
    return call
  }
  return {
    waitForCommands: () => void (state.play = null),
    answerByAgent(input) {
      const call = callOf(callSchema.parse(input).callId)
      if (call.agentAnsweredAt !== null || call.endedAt !== null) throw new Error(`call ${call.sid} does not ring at the agent`)
      call.agentAnsweredAt = clock.now()
    },
    answer(input) {
      const call = callOf(callSchema.parse(input).callId)
      if (call.answeredAt !== null || call.endedAt !== null) throw new Error(`call ${call.sid} does not ring`)
      call.agentAnsweredAt ??= clock.now()
      call.answeredAt = clock.now()
      report(state, call, 'answered')
    },
    hangUp(input) {
      const { callId, status } = endSchema.parse(input)
      const call = callOf(callId)
      if (call.endedAt !== null) throw new Error(`call ${callId} has ended`)
      call.endedAt = clock.now()
      call.status = status ?? (call.agentAnsweredAt === null ? 'no-answer' : 'completed')
      if (call.recorded && call.answeredAt !== null) call.recordingName = recordingNames[(calls.size - 1) % recordingNames.length] ?? null
      report(state, call, 'terminal')
    },
    callIds: () => [...calls.keys()],
    call: (input) => ({ ...callOf(callSchema.parse(input).callId) }),
    callbacks: () => sender.sent(),
  }
}

function handle(state: OutboundState, commands: OutboundCommands, request: StandInRequest): StandInAnswer {
  const connect = /^\/v1\/Accounts\/([^/]+)\/Calls\/connect(\.json)?$/.exec(request.path)
  const recording = /^\/exotelrecordings\/([^/]+)\/(\w+)\.wav$/.exec(request.path)
  const details = connect ? null : /^\/v1\/Accounts\/([^/]+)\/Calls\/(\w+)(\.json)?$/.exec(request.path)
  const json = connect?.[2] !== undefined || details?.[3] !== undefined || recording !== null
  if (!connect && !details && !recording) return restException(404, { message: 'Not Found', code: 'NOT_FOUND' })
  const account = accountOf(request, connect?.[1] ?? details?.[1] ?? recording?.[1] ?? '')
  if (!account) return restException(401, { message: 'Authentication failed', code: 'UNAUTHORIZED' }, json)
  if (!recording && isOverLimit(state, account))
    return restException(429, { message: 'Too many requests', code: 'TOO_MANY_REQUESTS' }, json)
  if (recording) return recordingOf(state.calls.get(recording[2] ?? ''), account, request.headers.range)
  if (details) return detailsOf(state, account, { sid: details[2] ?? '', request, json })
  if (request.method !== 'POST') return restException(405, { message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' }, json)
  const asked = connectRequest(new URLSearchParams(request.body.toString()), account)
  if (typeof asked === 'string') return restException(400, { message: asked, code: 'BAD_REQUEST' }, json)
  const call = begin(state, commands, { account, ...asked })
  return json
    ? { body: connectBody(call) }
    : { headers: { 'content-type': 'application/xml' }, body: xml('TwilioResponse', connectBody(call)) }
}

type DetailsRequest = { readonly sid: string; readonly request: StandInRequest; readonly json: boolean }

function detailsOf(state: OutboundState, account: OutboundAccount, { sid, request, json }: DetailsRequest): StandInAnswer {
  const call = state.calls.get(sid)
  if (request.method !== 'GET') return restException(405, { message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' }, json)
  if (call?.account !== account) return restException(404, { message: 'Call not found', code: 'NOT_FOUND' }, json)
  const whole = detailsBody(call, { now: state.clock.now(), recordingUrl: recordingUrlOf(state, call) })
  const { Details: _details, ...brief } = whole.Call
  const body = request.query.get('details') === 'true' ? whole : { Call: brief }
  return json ? { body } : { headers: { 'content-type': 'application/xml' }, body: xml('TwilioResponse', body) }
}

function recordingUrlOf({ baseUrl }: OutboundState, call: ExotelCall): string | null {
  return call.recordingName === null ? null : `${baseUrl}/exotelrecordings/${call.account.sid}/${call.sid}.wav`
}

type NewCall = Omit<ExotelCall, 'sid' | 'startedAt' | 'recordingName' | 'status' | 'agentAnsweredAt' | 'answeredAt' | 'endedAt'>

function begin({ play, calls, clock, agenda }: OutboundState, commands: OutboundCommands, asked: NewCall): ExotelCall {
  const sid = newId().replaceAll('-', '')
  const call: ExotelCall = {
    sid,
    ...asked,
    startedAt: clock.now(),
    recordingName: null,
    status: 'in-progress',
    agentAnsweredAt: null,
    answeredAt: null,
    endedAt: null,
  }
  calls.set(sid, call)
  if (play) agenda.after(play.ringMs, () => void (call.answeredAt === null && call.endedAt === null && commands.answer({ callId: sid })))
  if (play) agenda.after(play.ringMs + play.talkMs, () => void (call.endedAt === null && commands.hangUp({ callId: sid })))
  return call
}

function report(state: OutboundState, call: ExotelCall, event: 'answered' | 'terminal'): void {
  const { clock, sender } = state
  if (!call.callback?.events.includes(event)) return
  const recordingUrl = recordingUrlOf(state, call)
  const body = callbackBody(call, event, { now: clock.now(), recordingUrl })
  if (call.callback.json) sender.send(call.callback.url, 'application/json', JSON.stringify(body))
  else sender.send(call.callback.url, `multipart/form-data; boundary=${formBoundary}`, formOf(body))
}

function isOverLimit({ options, clock, requestsAt }: OutboundState, account: OutboundAccount): boolean {
  const recent = (requestsAt.get(account.sid) ?? []).filter((at) => at > clock.now() - 60_000)
  requestsAt.set(account.sid, [...recent, clock.now()])
  return recent.length >= (options.requestsPerMinute ?? 200)
}

function recordingOf(call: ExotelCall | undefined, account: OutboundAccount, range: string | undefined): StandInAnswer {
  const bytes = call?.account === account && call.recordingName !== null ? recordingNamed(call.recordingName) : undefined
  return bytes ? served(bytes, range) : restException(404, { message: 'Recording not found', code: 'NOT_FOUND' })
}

const formBoundary = '------------------------5f0c1d8e7a2b4963'

/** The vendor's default: a form in parts. */
function formOf(body: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(body).flatMap(([name, value]) => formFields(name, value))
  const head = `--${formBoundary}\r\nContent-Disposition: form-data; name="`
  return `${parts.map(([name, value]) => `${head}${name}"\r\n\r\n${value}\r\n`).join('')}--${formBoundary}--\r\n`
}

/** Parts of a list or an object have names like `Legs[0][Status]`. */
function formFields(name: string, value: unknown): readonly [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, part]) => formFields(`${name}[${key}]`, part))
}
