import { hostileAnswers } from '../harness/hostile-upstream.ts'
import { searchPlantedSecrets } from '../harness/planted-secrets.ts'
import { searchRefusedConnections } from './secrets/refused-connections.ts'
import { say, startReport } from './stage/report.ts'

// `npm run prove:secrets`; with `--quick` two kinds of hostile answers and one request for each operation, as in the test suite.
const isQuick = process.argv.includes('--quick')
const report = startReport('Secrets')
say('secrets through every route, before upstreams that repeat what they get')
const answers = isQuick ? hostileAnswers.slice(1, 3) : hostileAnswers
const { found, ...counts } = await searchPlantedSecrets({ answers, runs: isQuick ? 1 : 4 })
say('a Redis and a Kafka that refuse the connection')
const refused = await searchRefusedConnections()
report([
  {
    claim: 'secrets and facts about people in the log, metrics, traces, dead letters and error answers',
    figure: `${found.length} found of ${counts.secrets}, after ${counts.requests} requests, ${counts.errors} of them errors, and ${counts.hostile} hostile answers of upstreams; searched ${counts.lines} lines, ${counts.spans} spans, ${counts.deadLetters} dead letters${found.length > 0 ? `: ${found.join('; ')}` : ''}`,
    holds: found.length === 0 && counts.secrets >= 40 && counts.hostile > 0,
  },
  {
    claim: 'passwords of Redis and Kafka in the output of a service that cannot reach them',
    figure: `${refused.found.length} found in ${refused.lines} lines`,
    holds: refused.found.length === 0 && refused.lines > 0,
  },
])
process.exit(process.exitCode)
