import { z } from 'zod'
import type { Breakers, Verdict } from '../../kernel/breakers.ts'
import type { Ports } from '../../ports/ports.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'

/** Which parties fail, as all instances see it: each notes what its own calls have shown. Errors of all functions: STORE_UNAVAILABLE. */

const partySchema = z.tuple([z.string(), z.string()]).transform(([id, name]) => ({ id, name }))
/** Longer than some runs of the job that notes them. */
const freshMs = 15_000
/** An instance that has not called a party for so long believes another one that was answered since. */
const doubtAfterMs = 30_000
const everybody = 'all'
const maxParties = 100
const hourMs = 3_600_000

/** `owner`: a workspace, or all of them if they share the party. */
export const failingParties = new SortedList({
  name: 'alerts-failing',
  key: (owner: string) => [owner],
  lifetime: hourMs,
  about: 'nothing',
  what: 'parties that fail, as each instance sees it',
})

export const answeringParties = new SortedList({
  name: 'alerts-answered',
  key: (owner: string) => [owner],
  lifetime: hourMs,
  about: 'nothing',
  what: 'accounts that have answered an instance, while they fail for another',
})

export async function noteFailing(
  ports: Pick<Ports, 'store' | 'clock'> & { readonly breakers: Pick<Breakers, 'verdicts'> },
): Promise<void> {
  const verdicts = ports.breakers.verdicts()
  for (const verdict of verdicts) if (!verdict.works) await noteFailure(ports, verdict)
  const recent = Map.groupBy(
    verdicts.filter(({ works, agoMs }) => works && agoMs < freshMs),
    ownerOf,
  )
  for (const [owner, working] of recent) await noteAnswers(ports, owner, working)
}

async function noteFailure(ports: Pick<Ports, 'store' | 'clock'>, verdict: Verdict): Promise<void> {
  const { party, who, key, agoMs } = verdict
  const now = ports.clock.now()
  if (agoMs >= doubtAfterMs) {
    const answered = await answeringParties.range(ports, ownerOf(verdict), { min: now - agoMs, limit: maxParties })
    if (answered.some(({ member }) => member === key)) return
  }
  await failingParties.add(ports, ownerOf(verdict), { member: JSON.stringify([party, who]), score: now })
}

/** Only of parties that fail for somebody, so that nothing is written as long as all work. */
async function noteAnswers(ports: Pick<Ports, 'store' | 'clock'>, owner: string, working: readonly Verdict[]): Promise<void> {
  const failing = await readList(ports, owner)
  for (const { party, key, agoMs } of working) {
    if (!failing.some(({ id }) => id === party)) continue
    await answeringParties.add(ports, owner, { member: key, score: ports.clock.now() - agoMs })
  }
}

/** The parties of this workspace that fail, and those that all share. */
export async function readFailing(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string) {
  return (await Promise.all([workspaceId, everybody].map((owner) => readList(ports, owner)))).flat()
}

async function readList(ports: Pick<Ports, 'store' | 'clock'>, owner: string) {
  const members = await failingParties.range(ports, owner, { min: ports.clock.now() - freshMs, limit: maxParties })
  return members.flatMap(({ member }) => partySchema.safeParse(JSON.parse(member)).data ?? [])
}

function ownerOf({ workspaceId }: Verdict): string {
  return workspaceId ?? everybody
}
