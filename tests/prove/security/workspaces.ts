import { tryCrossings } from '../../harness/crossings/try-crossings.ts'
import { type Figure, say } from '../stage/report.ts'

const seed = 20_261_122

const refusesCredentials = /\/auth\/(login|tokens)$|agentLogin$/

/** A manager and an agent of one workspace against another one, by every route and root field. */
export async function proveWorkspaces(): Promise<readonly Figure[]> {
  say('every operation with the ids, names and headers of another workspace')
  const { tries, operations, statuses, unreached, leaks, changes, seenFromInside } = await tryCrossings({ rounds: 8, seed })
  for (const line of [...leaks, ...changes]) say(line)
  const share = (...codes: readonly string[]): number => codes.reduce((sum, code) => sum + (statuses[code] ?? 0), 0) / tries
  const withoutToken = share('401', 'UNAUTHENTICATED')
  const misformed = share('400', 'BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED')
  const unread = unreached.filter((operation) => !refusesCredentials.test(operation))
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  return [
    {
      claim: 'tries against another workspace, by REST operations, root fields, records of the platform and files',
      figure: `${tries}, ${operations} operations (${answers.join(', ')})`,
      holds: tries >= 2_000,
    },
    {
      claim: 'of them refused for the token (at most 4 %), or for the form of the request (at most 20 %)',
      figure: `${percent(withoutToken)}, ${percent(misformed)}`,
      holds: withoutToken <= 0.04 && misformed <= 0.2,
    },
    {
      claim: 'operations none of whose tries got past these refusals, besides those that refuse foreign credentials',
      figure: unread.join(', ') || 'none',
      holds: unread.length === 0,
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

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
