import { failed, type Finding, findingOfError, inWorkspace } from './finding.ts'

/** Finds out about one part. What it throws becomes an error of that part. */
export type Check = {
  readonly part: string
  readonly workspace?: string
  readonly run: (signal: AbortSignal) => Promise<readonly Finding[]>
}

const deadlineMs = 15_000

/** Runs all checks at once, each for at most 15 s. A check that fails or hangs hides no other. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  return (await Promise.all(checks.map(runCheck))).flat()
}

async function runCheck({ part, workspace, run }: Check): Promise<readonly Finding[]> {
  const found = await attempt(part, run)
  return workspace === undefined ? found : inWorkspace(workspace, found)
}

async function attempt(part: string, run: Check['run']): Promise<readonly Finding[]> {
  const passed = Promise.withResolvers<readonly Finding[]>()
  const ending = new AbortController()
  const late = setTimeout(() => {
    ending.abort()
    passed.resolve([failed(part, `No result within ${deadlineMs / 1_000} s`, 'Check the network between this machine and that part')])
  }, deadlineMs)
  try {
    return await Promise.race([run(ending.signal), passed.promise])
  } catch (error) {
    const action = 'Correct the cause, and run the command again'
    return [findingOfError(part, error, { found: 'It could not be checked: ', who: 'the other side', action })]
  } finally {
    clearTimeout(late)
  }
}
