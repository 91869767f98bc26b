import { startSandbox } from '../../../src/sandbox/start.ts'

// The stand-ins in a process of their own: prints the settings that lead to them as one line of JSON, and stays until it is killed.
const [agents = '0'] = process.argv.slice(2)
const sandbox = await startSandbox({ dataDir: null })
if (Number(agents) > 0) {
  sandbox.standIns.platform.seedAgents('demo', Number(agents))
  sandbox.standIns.telephony.seedAgents({ count: Number(agents) })
}
process.stdout.write(`${JSON.stringify(sandbox.environmentOf('demo'))}\n`)
