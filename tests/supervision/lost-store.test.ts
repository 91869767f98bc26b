import { expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts'
import { createRunningClock } from '../harness/clock.ts'
import { startApp } from '../harness/start-app.ts'
import type { OverviewAnswer } from '../harness/supervision.ts'
import {
  callbackPath,
  completeOverview,
  completingSoon,
  counted,
  overview,
  sendTraffic,
  signIn,
  startOfTraffic,
} from '../harness/supervision-traffic.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { wrongCalls } from '../prove/calls/records.ts'

/** Early afternoon in the clinic: no day ends during a test. */
const clock = createRunningClock()

/** A separate service with an empty store. */
async function startService(sandbox: Sandbox): Promise<AsyncDisposable & { readonly url: string; readonly stop: () => Promise<void> }> {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: path, PORT: '0' }
  const { url } = starting.use(await startApp(environment, { workspaces: [sandbox.environmentOf('acme')], clock }))
  const running = starting.move()
  const stop = (): Promise<void> => running.disposeAsync()
  return { url, stop, [Symbol.asyncDispose]: stop }
}

test("after the loss of the store the day's counts come from the platform, and updates that arrive meanwhile count once", async () => {
  using _ = completingSoon()
  await using sandbox = await startSandbox({ dataDir: null, clock })
  const { platform, telephony } = sandbox.standIns
  telephony.accountMode({ mode: 'token' })
  await using first = await startService(sandbox)
  const token = await signIn(first.url)
  const complete = (url: string, as: string) => waitFor(() => completeOverview(url, as))
  const earlier = (await complete(first.url, token)).today.total.calls
  const from = startOfTraffic(clock)
  // More than the 200 records that are read at once.
  const expected = await sendTraffic([first.url], await callbackPath(first.url, token), { count: 220, from })
  await waitFor(() => wrongCalls(platform, expected).length === 0)
  const before = await waitFor(async () => {
    const seen = await overview(first.url, token)
    const { calls, answered, missed } = seen.today.total
    return calls === earlier + expected.length && answered + missed === calls && seen
  })
  await first.stop()
  await using second = await startService(sandbox)
  const again = await signIn(second.url)
  // Updates of some calls arrive again, before and while the platform is read.
  const path = await callbackPath(second.url, again)
  await overview(second.url, again)
  await sendTraffic([second.url], path, { count: 20, from })
  const after = await complete(second.url, again)
  const { averageWrapUpSeconds: _one, ...total } = before.today.total
  await waitFor(async () => {
    expect((await overview(second.url, again)).today.total).toMatchObject(total)
    return true
  })
  expect(counted(after).rows[1]).toEqual(counted(before).rows[1])
  expect(after.missedWaiting.count).toBe(before.missedWaiting.count)
  const names = ({ today }: OverviewAnswer) => new Set(today.byAgent.map(({ agentName }) => agentName))
  expect(names(after)).toEqual(names(before))
})
