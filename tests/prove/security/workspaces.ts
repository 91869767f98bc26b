import { tryCrossings } from '../../harness/crossings/try-crossings.ts'
import { type Figure, say } from '../stage/report.ts'

const seed = 20_261_122

/** A manager and an agent of one workspace against another one, by every route and root field. */
export async function proveWorkspaces(): Promise<readonly Figure[]> {
  say('every operation with the ids, names and headers of another workspace')
  const { tries, operations, statuses, leaks, changes, seenFromInside } = await tryCrossings({ rounds: 8, seed })
  for (const line of [...leaks, ...changes]) say(line)
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  return [
    {
      claim: 'tries against another workspace, by REST operations, root fields, records of the platform and files',
      figure: `${tries}, ${operations} operations (${answers.join(', ')})`,
      holds: tries >= 2_000,
    },
    {
      claim: 'answers in which the same search finds something, if its own manager reads',
      figure: String(seenFromInside),
      holds: seenFromInside > 100,
    },
    { claim: 'ids, texts or secrets of it in an answer or an event stream', figure: String(leaks.length), holds: leaks.length === 0 },
    {
      claim: 'changes of it: records, configuration, sessions, team, dead letters, audit',
      figure: String(changes.length),
      holds: changes.length === 0,
    },
  ]
}
