import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { AccountState, SandboxCall } from './account.ts'
import type { AcceptedRequest } from './authentication.ts'
import { callFacts, wireDid } from './events.ts'
import { bareNumber, clockDuration, indiaTime, nationalNumber, textOf, wireAnswer } from './wire.ts'

export type ReportRules = { readonly requestsPerMinute: number; readonly now: () => number }

const dayMs = 86_400_000
const momentForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** `GET /ca_apis/abandonCalls`: today's calls that no agent answered. */
export function abandonCalls({ account }: AcceptedRequest, now: number): StandInAnswer {
  const today = indiaTime(now).slice(0, 10)
  const missed = [...account.calls.values()].filter(
    (call) =>
      call.direction === 'inbound' && call.phase === 'ended' && call.answeredAt === null && indiaTime(call.startedAt).startsWith(today),
  )
  const message = missed.map((call) => ({
    monitorUCID: bareNumber(call.ucid),
    callerID: nationalNumber(call.customer),
    did: wireDid(call),
    skill: call.skill,
    agentID: call.agentId ?? 'None',
    hangupBy: call.hangupBy,
    callTime: indiaTime(call.startedAt),
  }))
  return wireAnswer({ message, status: 'success' })
}

/** `GET /ca_reports/...`: call records of one calendar day out of the last fifteen, twice a minute. */
export function callRecords(accepted: AcceptedRequest, request: StandInRequest, rules: ReportRules): StandInAnswer {
  const { account, fields } = accepted
  const now = rules.now()
  const recent = account.reportsAt.filter((at) => at > now - 60_000)
  account.reportsAt.splice(0, account.reportsAt.length, ...recent)
  if (recent.length >= rules.requestsPerMinute) return wireAnswer({ status: 'error', message: 'Rate limit exceeded' }, 429)
  account.reportsAt.push(now)

  const [from, to] = [textOf(fields, 'fromDate'), textOf(fields, 'toDate')]
  const fault = rangeFault(from, to, now)
  if (fault !== null) return wireAnswer({ status: 'error', message: fault })
  const wanted = request.path.endsWith('fetchCdrByPagination') ? pageIn(request) : wholePage
  if (wanted === null)
    return wireAnswer({ status: 'error', message: 'pageNo and pageSize should be Numeric only, and pageSize not more than 500' })
  const ucid = textOf(fields, 'ucid')
  if (ucid === '' && request.path.endsWith('fetchCdrByUCID'))
    return wireAnswer({ status: 'error', message: 'ucid Should Not be Null or Empty.' })
  const found = [...account.calls.values()]
    .filter((call) => call.phase === 'ended' && between(call, from, to) && (ucid === '' || call.ucid === ucid))
    .map((call) => recordOf(account, call))
  const { number, size } = wanted
  return wireAnswer({ details: found.slice((number - 1) * size, number * size), totalCount: found.length })
}

function rangeFault(from: string, to: string, now: number): string | null {
  if (!momentForm.test(from) || !momentForm.test(to)) return 'Invalid Date Format'
  if (from.slice(0, 10) !== to.slice(0, 10)) return 'fromDate and toDate should be of same day'
  if (to < from) return 'fromDate should not be greater than toDate'
  return from.slice(0, 10) < indiaTime(now - 15 * dayMs).slice(0, 10) ? 'Data is available only for last 15 days' : null
}

function between(call: SandboxCall, from: string, to: string): boolean {
  const startedAt = indiaTime(call.startedAt)
  return startedAt >= from && startedAt <= to
}

type Page = { readonly number: number; readonly size: number }
const wholePage: Page = { number: 1, size: Number.MAX_SAFE_INTEGER }
const maxPageSize = 500

/** Null for a page that the provider does not give. */
function pageIn({ query }: StandInRequest): Page | null {
  const [number, size] = ['pageNo', 'pageSize'].map((name) => query.get(name) ?? '')
  if (!/^[1-9]\d*$/.test(number ?? '') || !/^[1-9]\d*$/.test(size ?? '') || Number(size) > maxPageSize) return null
  return { number: Number(number), size: Number(size) }
}

function recordOf(account: AccountState, call: SandboxCall): Record<string, unknown> {
  const facts = callFacts(account, call)
  return {
    AgentDialStatus: facts.dialStatus,
    AgentID: facts.agent?.agent.id ?? '',
    AgentName: facts.agent?.agent.name ?? '',
    CallAudio: facts.audioFile,
    CallDate: facts.startTime.slice(0, 10),
    CallID: bareNumber(call.legUcid),
    CallerID: nationalNumber(call.customer),
    CampaignName: call.campaign,
    Comments: call.comments,
    ConferenceDuration: '00:00:00',
    CustomerDialStatus: call.direction === 'inbound' ? 'answered' : facts.dialStatus,
    DID: wireDid(call),
    DialStatus: facts.dialStatus,
    DialedNumber: facts.agent?.phoneNumber ?? '',
    Disposition: call.disposition,
    Duration: facts.wholeDuration,
    EndTime: facts.endTime.slice(11),
    HangupBy: call.hangupBy,
    PickupTime: call.answeredAt === null ? '' : indiaTime(call.answeredAt).slice(11),
    Skill: call.skill,
    StartTime: facts.startTime.slice(11),
    Status: facts.status,
    TalkTime: facts.talkDuration,
    TimeToAnswer: facts.timeToAnswer,
    TransferType: call.transfer?.type ?? 'No Transfers',
    TransferredTo: call.transfer?.to ?? '',
    Type: facts.type,
    UCID: bareNumber(call.ucid),
    UUI: call.uui,
    WrapupDuration: clockDuration(call.disposedAt === null || call.endedAt === null ? 0 : call.disposedAt - call.endedAt),
    monitorUCID: bareNumber(call.ucid),
  }
}
