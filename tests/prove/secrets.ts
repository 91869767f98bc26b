import { hostileAnswers } from '../harness/hostile-upstream.ts'
import { searchPlantedSecrets } from '../harness/planted-secrets.ts'
import { searchRefusedConnections } from './secrets/refused-connections.ts'
import { say, startReport } from './stage/report.ts'

// `npm run prove:secrets`; with `-- --quick` two kinds of hostile answers and one request for each operation, as in the test suite.
const isQuick = process.argv.includes('--quick')
const report = startReport('Secrets')
say('secrets through every route, before upstreams that repeat what they get')
const answers = isQuick ? hostileAnswers.slice(1, 3) : hostileAnswers
const { found, ...counts } = await searchPlantedSecrets({ answers, runs: isQuick ? 1 : 4, misplace: isQuick ? 4 : 100 })
say('a Redis and a Kafka that refuse the connection, or the password')
const refused = await searchRefusedConnections()
const shown = counts.shown + refused.received.length
report([
  {
    claim:
      'secrets and facts about people in the log, metrics, traces, dead letters and error answers (of REST all; of GraphQL the secrets of others)',
    figure: `${found.length} found of ${counts.secrets}, after ${counts.requests} requests, ${counts.errors} of them errors, and ${counts.hostile} hostile answers of upstreams; searched ${counts.lines} lines, ${counts.spans} spans, ${counts.deadLetters} stored dead letters, metrics and health${found.length > 0 ? `: ${found.join('; ')}` : ''}`,
    holds:
      found.length === 0 && counts.hostile > 0 && counts.spans > 0 && counts.deadLetters > 0 && counts.endings === 6 && counts.ways === 4,
  },
  {
    claim: 'control: secrets that an upstream received, or that the service took from their sender or gave to their owner (at least 40)',
    figure: `${shown}; held and never sent: ${counts.notShown.join(', ')}; the search finds what may be there, the ID of a request: ${counts.finds ? 'yes' : 'no'}`,
    holds: shown >= 40 && counts.finds,
  },
  {
    claim: 'passwords of Redis and Kafka in the output of a service that cannot reach them, or whose password they refuse and repeat',
    figure: `${refused.found.length} found in ${refused.lines} lines; received by ${refused.received.length} of 2`,
    holds: refused.found.length === 0 && refused.received.length === 2,
  },
])
process.exit(process.exitCode)
