import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createChance, playCall } from '../prove/calls/traffic.ts'

test('closes without waiting for the next minute of the API key', async () => {
  await using stack = new AsyncDisposableStack()
  const app = stack.use(await createTestApp())
  app.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await app.signIn('manager@demo.example')
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(body)
  const chance = createChance(5)
  const ends = Array.from({ length: 300 }, (_, index) => playCall(index, chance).postings.at(-1)).filter((posting) => posting !== undefined)
  await Promise.all(
    ends.map(({ contentType, body: end }) =>
      fetch(app.url + path, { method: 'POST', headers: { 'content-type': contentType }, body: end }),
    ),
  )
  // Each of them looks for its lead: more requests than these may make with the key in a minute.
  const key = app.standIns.platform.apiKeyOf('demo')
  const used = () => app.standIns.platform.calls().filter(({ headers }) => headers.authorization === `Bearer ${key}`).length
  await waitFor(() => used() >= 50)
  // The fifty-first waits for the next minute.
  const startedAt = performance.now()
  await stack.disposeAsync()
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})
