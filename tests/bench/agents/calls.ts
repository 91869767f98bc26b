import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import { bareNumber, clockDuration, indiaTime, wireJson } from '../../../src/sandbox/telephony/wire.ts'
import type { AgentStream } from './streams.ts'

const account = telephonyAccounts.demo

type Calls = {
  /** What came so far is not counted. */
  forget(): void
  /** How many calls began since. */
  begun(): number
  /** No more calls; resolves when the last ones have ended. `lost`: calls whose screen pop never came. */
  stop(): Promise<{ readonly popsMs: readonly number[]; readonly lost: number; readonly failed: number }>
}

/** A call lasts so long in all; the provider sends four webhooks about it and four about its agent. */
const ringMs = 1_000
const talkMs = 2_000
const wrapUpMs = 1_000

/** Begins so many calls a second, one agent after the other. The provider's webhooks go to the instances in turn. */
export function startCalls({
  urls,
  hook,
  perSecond,
  streams,
}: {
  readonly urls: readonly string[]
  readonly hook: string
  readonly perSecond: number
  readonly streams: readonly AgentStream[]
}): Calls {
  const dispatcher = new Agent({ connections: 50 })
  const sentAt = new Map<string, number>()
  let popsMs: number[] = []
  let [failed, begun, sent] = [0, 0, 0]
  for (const stream of streams) {
    stream.onCall = (ucid) => {
      const at = sentAt.get(ucid)
      if (at !== undefined) popsMs.push(performance.now() - at)
      sentAt.delete(ucid)
    }
  }
  const post = async ({ contentType, body }: Posting): Promise<void> => {
    sent += 1
    const url = (urls[sent % urls.length] ?? '') + hook
    const answer = await request(url, { method: 'POST', headers: { 'content-type': contentType }, body, dispatcher }).catch(() => null)
    await answer?.body.dump()
    if (answer?.statusCode !== 200) failed += 1
  }
  const play = async (number: number): Promise<void> => {
    const call = callOf(number, streams.length)
    sentAt.set(call.ucid, performance.now())
    await Promise.all([post(live(call, 'Calling')), post(ofAgent(call, 'calling'))])
    await pause(ringMs)
    await Promise.all([post(live(call, 'Answered')), post(ofAgent(call, 'incall'))])
    await pause(talkMs)
    await Promise.all([post(live(call, 'Disconnect')), post(ofAgent(call, 'ACW'))])
    await pause(wrapUpMs)
    await Promise.all([post(endOfCall(call)), post(ofAgent(call, 'IDLE'))])
  }
  const startedAt = performance.now()
  const underWay = new Set<Promise<void>>()
  let number = 0
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) * perSecond) / 1_000; number < due;) {
      number += 1
      begun += 1
      const playing = play(number).finally(() => underWay.delete(playing))
      underWay.add(playing)
    }
  }, 5)
  return {
    forget() {
      popsMs = []
      begun = 0
    },
    begun: () => begun,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      await pause(2_000)
      await dispatcher.destroy()
      return { popsMs, lost: sentAt.size, failed }
    },
  }
}

type Posting = { readonly contentType: string; readonly body: string }
type Call = { readonly ucid: string; readonly agentId: string; readonly phoneNumber: string; readonly startedAt: number }

const firstUcid = `4${String(Date.now()).slice(1, 9)}`

function callOf(number: number, agents: number): Call {
  return {
    ucid: `${firstUcid}${String(number).padStart(7, '0')}`,
    agentId: `load${(number % agents) + 1}`,
    phoneNumber: `0${String(7_000_000_000 + number)}`,
    startedAt: Date.now(),
  }
}

function live({ ucid, agentId, phoneNumber }: Call, action: string): Posting {
  const at = indiaTime(Date.now())
  const data = {
    action,
    call_type: 'inbound',
    ucid: bareNumber(`9${ucid.slice(1)}`),
    monitor_ucid: bareNumber(ucid),
    agent_id: agentId,
    caller_id: phoneNumber,
    did: account.campaigns[0].did.slice(1),
    event_time: at,
  }
  return posted({ eventType: 'Call', eventTime: at, username: account.userName, data })
}

function ofAgent({ agentId }: Call, action: string): Posting {
  const at = indiaTime(Date.now())
  const data = { action, agentUniqeId: 1, agentId, agentMode: 'INBOUND', eventTime: at }
  return posted({ eventType: 'Agent', eventTime: at, username: account.userName, data })
}

function posted(event: unknown): Posting {
  return { contentType: 'application/json', body: wireJson(event) }
}

function endOfCall({ ucid, agentId, phoneNumber, startedAt }: Call): Posting {
  const data = {
    monitorUCID: bareNumber(ucid),
    Did: account.campaigns[0].did.slice(1),
    CampaignName: account.campaigns[0].name,
    CallerID: phoneNumber,
    StartTime: indiaTime(startedAt),
    EndTime: indiaTime(startedAt + ringMs + talkMs),
    TimeToAnswer: clockDuration(ringMs),
    Duration: clockDuration(talkMs),
    Type: 'InBound',
    AgentID: agentId,
    Disposition: account.dispositions[0],
    Status: 'Answered',
    AudioFile: '',
    Comments: '',
    Apikey: account.apiKey,
  }
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams({ data: wireJson(data) }).toString() }
}
