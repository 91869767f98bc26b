import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storedValues } from '../../src/wiring/stored-values.ts'

/**
 * Two workspaces may have calls, agents and members with the same ids: their providers choose them. So the workspace is the first part of
 * every key and of every derived id, and no workspace reads or replaces what another one stored.
 */

const sources = ['src/features', 'src/providers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8')),
)
/** Kinds whose keys do not begin with a workspace, and why. */
const others = {
  'one list for all workspaces, whose members name theirs': [
    'call-reconciliation-workspaces',
    'call-records-workspaces',
    'dispositions:open',
    'due-work',
    'recordings-workspaces',
    'sessions:workspaces',
    'team:open-invite-links',
    'unknown-callers',
  ],
  'by the member of a former list': ['callback-task'],
  'of an instance of the service': ['health'],
  'a hash or secret that belongs to one workspace': [
    'auth:good-address',
    'auth:refused-token',
    'auth:refused-tokens',
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
}

test('every declared value is in the list that the store asks', () => {
  const declarations = sources.flatMap((source) => [
    ...source.matchAll(/new (?:Family|SortedList|Counter|LeaseOf)(?:<[^>]*>)?\(\{\s+name: '([^']+)'/g),
  ])
  const names = new Set(storedValues.map(({ name }) => name))
  expect(declarations.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([])
  expect(new Set(storedValues.map(({ name }) => name)).size).toBe(storedValues.length)
})

test('the first part of the key of a declared value is its workspace', () => {
  const ofWorkspaces = storedValues.filter(({ scope = 'workspace' }) => scope === 'workspace')
  expect(ofWorkspaces.length).toBeGreaterThan(80)
  for (const { name, key } of ofWorkspaces) expect(`${name}: ${String(key)}`).toMatch(/=>\s*\[\s*(\w+\.)*(workspaceId|owner)\b/)
})

test('it is known of each other kind why its keys do not begin with a workspace', () => {
  const names = storedValues.filter(({ scope }) => scope === 'installation').map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.values(others).flat().toSorted())
})

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
