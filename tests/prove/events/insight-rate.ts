import { setTimeout as delay } from 'node:timers/promises'
import { writeInsight } from '../../../src/features/insights/write-insight.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { callCompleted } from '../../builders/events.ts'
import { type CallsDesk, createCallsDesk } from '../../harness/calls-desk.ts'
import { type Figure, say } from '../stage/report.ts'

const minutes = 3
const target = 30
const events = 180

/** How many insights a minute one workspace gets, with the 100 requests a minute that the platform allows an API key. */
export async function proveInsightRate(): Promise<readonly Figure[]> {
  await using desk = await createCallsDesk()
  const { platform } = desk.standIns
  platform.seed('demo', { leads: events })
  const withoutInsight = () => platform.records('demo', 'lead').filter((lead) => !lead['aiInsightAt'])
  const leads = withoutInsight().slice(0, events)
  const before = withoutInsight().length
  const doctorDirectory = { read: async () => ({ doctors: [], slots: [] }), invalidate: () => undefined }
  const ports = {
    ...desk.callPorts,
    insightRecords: desk.ports.insightRecords,
    doctorDirectory,
    clock: systemClock,
    log: createLog('silent'),
  }
  desk.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(ports, event, signal) })
  await desk.bus.start()
  say(`${events} calls end, ${minutes} minutes`)
  for (const lead of leads)
    await desk.bus.publish(callCompleted(newId(), { workspaceId: desk.workspaceId, leadId: String(lead['id']), callId: null }))
  await delay(minutes * 60_000)
  const written = before - withoutInsight().length
  const refused = limitRefusals(desk)
  desk.ports.stopWaiting()
  const perMinute = written / minutes
  return [
    {
      claim: `${events} calls end at once in a workspace whose API key may make 100 requests a minute: insights a minute, over ${minutes} minutes`,
      figure: `${perMinute.toFixed(0)} (target ${target}); ${refused} requests refused by the platform's limit`,
      holds: perMinute >= target && refused === 0,
    },
  ]
}

/** The window that the platform would refuse at: more than 100 counted requests in any minute. */
function limitRefusals(desk: CallsDesk): number {
  const counted = desk.standIns.platform.calls('POST /graphql').filter(({ operation }) => !operation.includes('__type'))
  return counted.filter(({ at }, index) => counted.slice(0, index).filter((other) => other.at > at - 60_000).length >= 100).length
}
