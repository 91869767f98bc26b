import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Answer, createClient, percentile, countByStatus } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'
import { openSite } from './site.ts'

const visitors = 1_000
const minutes = 2
const looks = ['config', 'doctors', 'slots', 'slots']

const seenSchema = z.array(
  z.object({ at: z.number(), operation: z.string(), headers: z.looseObject({ authorization: z.string().optional() }) }),
)

/** 1,000 visitors a minute, two minutes long, through two instances: what the platform is asked meanwhile. */
export async function provePlatformLoad(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 0 })
  await using client = createClient()
  const urls = [(await stage.service('redis')).url, (await stage.service('redis')).url]
  const { visit } = await openSite(client, urls[0] ?? '')
  await stage.command('platform', 'forget-calls')
  say(`${visitors} visitors a minute for ${minutes} minutes`)
  const answers: Answer[] = []
  const total = visitors * minutes
  const startedAt = performance.now()
  const come = async (index: number): Promise<void> => {
    await pause(Math.max(0, startedAt + (index * 60_000) / visitors - performance.now()))
    for (const path of looks) answers.push(await visit(index, urls[index % 2] ?? '', { path }))
  }
  await Promise.all(Array.from({ length: total }, (_, index) => come(index)))
  const seen = seenSchema.parse(await stage.command('platform', 'calls'))
  const asked = seen.filter(({ headers }) => headers.authorization !== undefined)
  const forms = asked.filter(({ operation }) => operation.includes('__'))
  const most = mostInAMinute(asked.filter((call) => !forms.includes(call)).map(({ at }) => at))
  const counts = countByStatus(answers)
  return [
    {
      claim: `${visitors.toLocaleString('en')} visitors a minute for ${minutes} minutes, ${looks.length} requests each, two instances`,
      figure: `${answers.length} answers ${JSON.stringify(counts)}, p50 ${percentile(answers, 0.5)} ms, p99 ${percentile(answers, 0.99)} ms; the platform was asked for records at most ${most} times in any minute, and ${forms.length} times in all for the form of an object, which its limit does not count: ${JSON.stringify(operationsOf(asked))}`,
      holds: most > 0 && most <= 10 && counts['200'] === total * looks.length,
    },
  ]
}

function mostInAMinute(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length))
}

function operationsOf(calls: readonly { readonly operation: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { operation } of calls) counts[operation] = (counts[operation] ?? 0) + 1
  return counts
}
