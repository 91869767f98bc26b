import { expect, test } from 'vitest'
import { createRefusedTokens } from '../../src/features/sessions/sign-ins/refused-tokens.ts'
import { readSignIns, writeSignIns } from '../../src/features/sessions/sign-ins/sign-in-records.ts'
import { createSignIns } from '../../src/features/sessions/sign-ins/sign-ins.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'
import { watchLoop } from '../harness/loop-watch.ts'
import { createTempDir } from '../harness/temp-dir.ts'

/** CI is busy. */
const longestHoldMs = 250
const owner = { workspaceId: 'w1', userId: 'u1' }
const now = systemClock.now()
const expiresAt = now + 1_800_000
/** As many as a member may have who signs in and renews all the time. */
const signIns = Array.from({ length: 50 }, (_, id) => ({
  id: String(id),
  tokens: Array.from({ length: 100 }, (__, token) => ({ mark: `mark-${id}-${token}`.padEnd(22, '-'), expiresAt, isAccess: token > 0 })),
}))

function accessToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const seconds = Math.floor(now / 1_000)
  const claims = {
    type: 'ACCESS',
    sub: owner.userId,
    workspaceId: owner.workspaceId,
    iat: seconds,
    exp: seconds + 1_800,
    jti: crypto.randomUUID(),
  }
  return `${part({ alg: 'HS256' })}.${part(claims)}.signature`
}

async function startSignIns() {
  const directory = await createTempDir()
  const log = createLog('silent')
  const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf })
  const ports = {
    store,
    log,
    clock: systemClock,
    notifications: createInProcessNotifications({ log }),
    withFallback: <T>(step: () => Promise<T>) => step(),
  }
  const refusedTokens = createRefusedTokens(ports)
  await writeSignIns(ports, owner, { from: null, signIns, now })
  return {
    store,
    refusedTokens,
    signIns: createSignIns({ ...ports, refusedTokens }),
    async [Symbol.asyncDispose]() {
      await store.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

test('the removal of a member who has five thousand tokens refuses all of them, in many turns of the event loop', async () => {
  await using started = await startSignIns()
  using watch = watchLoop()
  await started.signIns.endAll(owner, 'REMOVAL')
  expect(watch.read().cpuMs).toBeLessThan(longestHoldMs)
  expect((await readSignIns(started, owner)).signIns).toEqual([])
  const refreshMarks = signIns.flatMap(({ tokens }) => tokens.filter(({ isAccess }) => !isAccess).map(({ mark }) => mark))
  expect(new Set(await started.refusedTokens.findStored(refreshMarks))).toEqual(new Set(['REMOVAL']))
  expect(await started.store.sortedCount('auth:refused-tokens')).toBe(50 * 99)
})

test('sixty sign-ins at once of a member who has five thousand tokens hold the event loop one after the other', async () => {
  await using started = await startSignIns()
  using watch = watchLoop()
  await Promise.all(Array.from({ length: 60 }, () => started.signIns.keyOf(accessToken())))
  expect(watch.read().cpuMs).toBeLessThan(longestHoldMs)
})
