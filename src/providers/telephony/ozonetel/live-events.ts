import { z } from 'zod'
import type { AgentState } from '../../../ports/agent-activity.ts'
import type { AgentUpdate, CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { field, instantOf, present } from '../field-values.ts'
import { otherParty } from '../other-party.ts'
import { didOf, directionOf } from './wire.ts'

/** The `data` of a live event. `at` is the envelope's time, used if the data has none. */
export type LiveEvent = { readonly data: Readonly<Record<string, unknown>>; readonly at: string; readonly country: CountryCode }

const callSchema = z.object({
  action: z.string(),
  call_type: field,
  ucid: field,
  monitor_ucid: field,
  agent_id: field,
  caller_id: field,
  did: field,
  event_time: field,
})
const agentSchema = z.object({ action: z.string(), agentId: field, eventTime: field, pauseReason: field })

/** The timestamp of the call that each action sets. */
const momentsSet = new Map<string, 'startedAt' | 'answeredAt' | 'endedAt'>([
  ['calling', 'startedAt'],
  ['answered', 'answeredAt'],
  ['disconnect', 'endedAt'],
])

/** An agent whose phone rings is as busy as on a call. `release` is ignored: the next event reports the end of the wrap-up. */
const states = new Map<string, AgentState>([
  ['login', 'NOT_READY'],
  ['aux', 'NOT_READY'],
  ['pause', 'NOT_READY'],
  ['idle', 'READY'],
  ['calling', 'ON_CALL'],
  ['incall', 'ON_CALL'],
  ['acw', 'WRAP_UP'],
  ['logout', 'SIGNED_OUT'],
])

/** Returns the event for a call that rings, is answered or ends, and nothing for an action that is not used here. */
export function callProgress({ data, at, country }: LiveEvent): readonly CallUpdate[] {
  const parsed = callSchema.safeParse(data)
  if (!parsed.success) throw invalidInput('data', 'is not as in a call event')
  const call = parsed.data
  const moment = momentsSet.get(call.action.toLowerCase())
  if (moment === undefined) return []
  const ucid = call.monitor_ucid || call.ucid
  if (!/^\d{1,30}$/.test(ucid)) throw invalidInput('data.monitor_ucid', 'must be the digits of an identifier')
  const facts = {
    direction: directionOf(call.call_type),
    agentId: present(call.agent_id),
    ...otherParty(call.caller_id, country),
    did: didOf(call.did, country),
    [moment]: momentOf(call.event_time, at),
  } as const
  return [{ about: 'CALL', ucid, source: 'LIVE', facts, automaticDisposition: null }]
}

export function agentProgress({ data, at }: LiveEvent): readonly AgentUpdate[] {
  const parsed = agentSchema.safeParse(data)
  if (!parsed.success || parsed.data.agentId === '') throw invalidInput('data', 'is not as in an agent event')
  const { action, agentId, pauseReason, eventTime } = parsed.data
  const state = states.get(action.toLowerCase())
  if (state === undefined) return []
  return [{ about: 'AGENT', agentId, state, reason: present(pauseReason), ucid: null, at: momentOf(eventTime, at) }]
}

function momentOf(own: string, envelope: string): string {
  const at = instantOf(own) ?? instantOf(envelope)
  if (at === null) throw invalidInput('data.event_time', 'must be a moment')
  return at
}
