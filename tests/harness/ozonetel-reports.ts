import { textIn } from '../../src/providers/telephony/ozonetel/answers.ts'
import type { OzonetelClient } from '../../src/providers/telephony/ozonetel/client.ts'
import { reportMethods } from '../../src/providers/telephony/ozonetel/reports.ts'

type Asked = Parameters<OzonetelClient['api']>[0]

/** The provider's reports, from these answers one after the other; `asked` has the paths and fields. */
export function reportsFrom(...bodies: readonly object[]) {
  return reportsOf(bodies, [])
}

/** `dispositions`: the outcome codes that the workspace lists. */
export function reportsOf(bodies: readonly object[], dispositions: readonly string[]) {
  const asked: Asked[] = []
  const taken: string[] = []
  const refuse = () => Promise.reject(new Error('not a report'))
  const client: OzonetelClient = {
    api: async (request) => {
      const body: Readonly<Record<string, unknown>> = { ...bodies[asked.push(request) - 1] }
      return { succeeded: body['status'] === 'success', text: textIn(body, 'message'), body }
    },
    agentForm: refuse,
    query: refuse,
    subscribe: refuse,
  }
  const budget = { take: async (use: string) => void taken.push(use) }
  const within = <T>(step: (signal: AbortSignal) => Promise<T>) => step(new AbortController().signal)
  return { asked, taken, reports: reportMethods(client, { budget, defaultCountry: 'IN', dispositions, within }) }
}

/** A row of the report of an answered inbound call. */
export const reportedRow = (ucid: string, changes: object = {}) => ({
  monitorUCID: ucid,
  Type: 'Inbound',
  Status: 'Answered',
  CallDate: '2025-01-14',
  StartTime: '22:00:00',
  PickupTime: '22:00:05',
  EndTime: '22:03:00',
  TalkTime: '00:02:55',
  CallerID: '9876543210',
  DID: '918069876501',
  AgentID: 'agent1',
  CampaignName: 'Inbound',
  Disposition: 'Done',
  Comments: 'None',
  CallAudio: 'https://x.example/a.mp3',
  ...changes,
})
