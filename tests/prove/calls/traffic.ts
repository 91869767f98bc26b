import { bareNumber, clockDuration, indiaTime, wireJson } from '../../../src/sandbox/telephony/wire.ts'
import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'

/** One webhook as the provider posts it. */
export type Posting = { readonly contentType: string; readonly body: string }

/** The record of a call that the platform must have in the end. */
export type ExpectedCall = {
  readonly ucid: string
  readonly status: 'COMPLETED' | 'MISSED'
  readonly startedAt: string
  readonly answeredAt: string | null
  readonly endedAt: string
  readonly disposition: string | null
  readonly providerAgentId: string | null
}

const account = telephonyAccounts.demo
const second = 1_000

/** Repeatable random numbers: the same seed gives the same traffic. */
export function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Defaults: the call begins on a day long ago, has a UCID of its own and one of the account's agents, and gets a disposition. */
export type PlayedCall = { readonly ucid?: string; readonly beganAt?: number; readonly agentId?: string; readonly disposed?: boolean }

/** The webhooks of a call in their true order, and its final record. */
export function playCall(
  index: number,
  chance: () => number,
  played: PlayedCall = {},
): { readonly postings: readonly Posting[]; readonly expected: ExpectedCall } {
  const { beganAt = Date.UTC(2025, 0, 15, 3) + index * 7 * second, disposed = true } = played
  const ucid = played.ucid ?? `4${String(Date.UTC(2025, 0, 15)).slice(0, 9)}${String(index).padStart(7, '0')}`
  const startedAt = beganAt
  const isMissed = chance() < 0.2
  const answeredAt = isMissed ? null : startedAt + Math.ceil(chance() * 20) * second
  const endedAt = (answeredAt ?? startedAt) + Math.ceil(5 + chance() * 300) * second
  const agentId = isMissed ? null : (played.agentId ?? account.agents[index % account.agents.length]?.id ?? null)
  // One in five has its disposition only with a second, later record.
  const disposition = isMissed || !disposed ? null : (account.dispositions[index % account.dispositions.length] ?? null)
  const facts: CallTimes = { ucid, index, startedAt, answeredAt, endedAt, agentId }
  const records = disposition !== null && chance() < 0.2 ? [null, disposition] : [disposition]
  const postings = [
    live(facts, 'Calling', startedAt),
    ...(answeredAt === null ? [] : [live(facts, 'Answered', answeredAt)]),
    live(facts, 'Disconnect', endedAt),
    ...records.map((given) => endOfCall(facts, given)),
  ]
  return { postings, expected: expectedOf(facts, disposition) }
}

type CallTimes = {
  readonly ucid: string
  readonly index: number
  readonly startedAt: number
  readonly answeredAt: number | null
  readonly endedAt: number
  readonly agentId: string | null
}

function expectedOf({ ucid, startedAt, answeredAt, endedAt, agentId }: CallTimes, disposition: string | null): ExpectedCall {
  const moment = (at: number): string => new Date(at).toISOString()
  return {
    ucid,
    status: answeredAt === null ? 'MISSED' : 'COMPLETED',
    startedAt: moment(startedAt),
    answeredAt: answeredAt === null ? null : moment(answeredAt),
    endedAt: moment(endedAt),
    disposition,
    providerAgentId: agentId,
  }
}

function live({ ucid, index, agentId }: CallTimes, action: string, at: number): Posting {
  const data = {
    action,
    call_type: 'inbound',
    ucid: bareNumber(`9${ucid.slice(1)}`),
    monitor_ucid: bareNumber(ucid),
    agent_id: agentId ?? '',
    caller_id: callerOf(index),
    did: account.campaigns[0].did.slice(1),
    event_time: indiaTime(at),
  }
  const body = wireJson({ eventType: 'Call', eventTime: indiaTime(at), username: account.userName, data })
  return { contentType: 'application/json', body }
}

function endOfCall({ ucid, index, startedAt, answeredAt, endedAt, agentId }: CallTimes, disposition: string | null): Posting {
  const data = {
    monitorUCID: bareNumber(ucid),
    Did: account.campaigns[0].did.slice(1),
    CampaignName: account.campaigns[0].name,
    CallerID: callerOf(index),
    StartTime: indiaTime(startedAt),
    EndTime: indiaTime(endedAt),
    TimeToAnswer: clockDuration((answeredAt ?? endedAt) - startedAt),
    Duration: clockDuration(answeredAt === null ? 0 : endedAt - answeredAt),
    Type: 'InBound',
    AgentID: agentId ?? 'None',
    Disposition: disposition ?? 'None',
    Status: answeredAt === null ? 'NotAnswered' : 'Answered',
    AudioFile: '',
    Comments: '',
    Apikey: account.apiKey,
  }
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams({ data: wireJson(data) }).toString() }
}

function callerOf(index: number): string {
  return `0${String(7_000_000_000 + index)}`
}

/** Sends a tenth twice and moves a fifth by up to 300 places. */
export function disturb(postings: readonly Posting[], chance: () => number): readonly Posting[] {
  const all = postings.flatMap((posting) => (chance() < 0.1 ? [posting, posting] : [posting]))
  const placed = all.map((posting, place) => ({ posting, place: chance() < 0.2 ? place + (chance() - 0.5) * 600 : place }))
  return placed.toSorted((one, other) => one.place - other.place).map(({ posting }) => posting)
}

/** Webhooks of a sender who knows everything except the key of the address or the account. */
export function forge(index: number, path: string): Posting & { readonly path: string } {
  const { postings } = playCall(5_000_000 + index, () => 0.9)
  const end = postings.at(-1) ?? { contentType: '', body: '' }
  const first = postings[0] ?? end
  const guessed = path.replace(/[^/]+$/, `${String(index).padStart(8, '0')}${path.slice(-35)}`)
  switch (index % 4) {
    case 0:
      return { ...end, path: guessed }
    case 1:
      return { ...end, body: end.body.replace(account.apiKey, 'another-key'), path }
    case 2:
      return { ...end, body: end.body.replace(encodeURIComponent(`"Apikey":"${account.apiKey}"`), encodeURIComponent('"Apikey":""')), path }
    default:
      return { ...first, body: first.body.replace(account.userName, 'another-account'), path }
  }
}
