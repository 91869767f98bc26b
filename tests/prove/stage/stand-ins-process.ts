import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import { startSandbox } from '../../../src/sandbox/start.ts'

// The stand-ins in a process of their own: prints the settings that lead to them as one line of JSON, and stays until it is killed. The arguments:
// how many agents a workspace has beside those of the sandbox, and the workspace.
const [agents = '0', named = 'demo'] = process.argv.slice(2)
const workspace = named === 'acme' ? 'acme' : 'demo'
const sandbox = await startSandbox({ dataDir: null })
if (Number(agents) > 0) {
  sandbox.standIns.platform.seedAgents(workspace, Number(agents))
  sandbox.standIns.telephony.seedAgents({ account: telephonyAccounts[workspace].userName, count: Number(agents) })
}
process.stdout.write(`${JSON.stringify(sandbox.environmentOf(workspace))}\n`)
