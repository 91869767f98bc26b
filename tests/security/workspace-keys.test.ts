import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { retention } from '../../src/ports/retention.ts'

/**
 * Two workspaces may have calls, agents and members with the same ids: their providers choose them. So the workspace is the first part of
 * every key and of every derived id, and no workspace reads or replaces what another one stored.
 */

const sources = ['src/features', 'src/providers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8')),
)
const workspace = String.raw`\$\{(?:\w+\.)*workspaceId\}`
/** Families whose keys are not written as `family:${workspaceId}` and why. */
const others = {
  'one list for all workspaces, whose members name theirs': [
    'call-reconciliation-workspaces',
    'call-records-workspaces',
    'callback-tasks',
    'callback-tasks-lease',
    'calls-perhaps-missed',
    'dispositions:open',
    'outbound-calls-open',
    'recordings-workspaces',
    'sessions:workspaces',
    'team:open-invite-links',
  ],
  'of the service, not of a workspace': ['health'],
  'of a workspace, or of all if all share the party that fails': ['alerts-answered', 'alerts-failing'],
  'a hash or secret that belongs to one workspace': [
    'auth:good-address',
    'auth:renewal-lease',
    'auth:renewal-outcome',
    'auth:renewal-sent',
    'limits',
    'webhook-key',
  ],
  'of an account at a provider, which several workspaces may share': [
    'live-events-account',
    'live-events-lease',
    'speech-slot',
    'telephony-report',
    'telephony-token',
    'telephony-token-lease',
    'telephony-token-refused',
    'telephony-token-useless',
    'telephony-tokens-requested',
  ],
  'made in two steps: tests/calls/two-workspaces.test.ts, tests/widget/widget-chat.test.ts and the suites of sessions test them': [
    'callback-task',
    'disposition',
    'sessions:*:heartbeat',
    'sessions:*:lease',
    'sessions:*:lock',
    'sessions:*:record',
    'widget-conversation',
    'widget-reply',
  ],
}

test('the keys of every family begin with the workspace', () => {
  const withoutWorkspace = new Set(Object.values(others).flat())
  for (const family of Object.keys(retention).filter((each) => !withoutWorkspace.has(each))) {
    const [area = '', ...rest] = family.split(':*')
    const keys = sources.flatMap((source) => [...source.matchAll(new RegExp(`\`${area}:[^\`]*\``, 'g'))].map(([key]) => key))
    const ownKeys = keys.filter((key) => key.includes(rest.join('')) && !isNoKey(key))
    expect(ownKeys, `keys of ${family}`).not.toEqual([])
    for (const key of ownKeys) expect(key).toMatch(new RegExp(`^\`${area}:${workspace}${rest.join('')}[:\`]`))
  }
})

/** The reference of a note at the lead. */
const isNoKey = (text: string): boolean => text === '`insight:${leadId}`'

test('the ids that follow from other ids begin with the workspace', () => {
  const calls = sources.flatMap((source) => [...source.matchAll(/derivedId\(\s*('[^']+'|topic), (\S+?)[,)]/g)])
  const without = calls.filter(([, , first = '']) => !first.endsWith('workspaceId')).map(([call]) => call)
  // The ids of dead letters follow from the position of an event; that of an alert's message from the alert, whose id is random.
  expect(without).toEqual([
    'derivedId(topic, alert.id,',
    "derivedId('dead', receiver,",
    "derivedId('dead', receiver,",
    "derivedId('dead', topic,",
  ])
  expect(calls.length).toBeGreaterThan(25)
})
