import { describe, expect, test } from 'vitest'
import { nameByChannel, nameByModel } from '../../src/features/recordings/name-speakers.ts'
import type { SpokenUtterance } from '../../src/ports/speech.ts'
import { numberUtterances } from '../../src/features/recordings/number-utterances.ts'

const spoken = (channel: number, speaker: number, start: number): SpokenUtterance => ({
  channel,
  speaker,
  start,
  end: start + 1,
  text: `said at ${start}`,
})

describe('two channels', () => {
  // The provider numbers the voices of each channel from 0.
  const utterances = numberUtterances([spoken(1, 0, 2), spoken(0, 0, 1), spoken(0, 0, 3)], { twoChannels: true })

  test('each channel is a speaker, and utterances are numbered by start', () => {
    expect(utterances.map(({ id, speaker }) => [id, speaker])).toEqual([
      ['u1', 0],
      ['u2', 1],
      ['u3', 0],
    ])
  })

  test.each([
    [0, ['AGENT', 'CUSTOMER']],
    [1, ['CUSTOMER', 'AGENT']],
  ])('the agent is on channel %i', (agentChannel, roles) => {
    const named = nameByChannel(utterances, agentChannel)
    expect(named.map(({ role }) => role)).toEqual(roles)
    expect(named.map(({ namedBy }) => namedBy)).toEqual(['CHANNEL', 'CHANNEL'])
  })
})

describe('one channel', () => {
  const utterances = numberUtterances([spoken(0, 0, 1), spoken(0, 1, 2), spoken(0, 2, 3)], { twoChannels: false })
  const claim = (speaker: number, role: 'AGENT' | 'CUSTOMER' | 'UNKNOWN', ...evidence: readonly string[]) => ({
    speaker,
    role,
    evidence: [...evidence],
  })
  const rolesOf = (...claims: readonly ReturnType<typeof claim>[]) => nameByModel(utterances, [...claims]).map(({ role }) => role)

  test('a second agent may join', () => {
    expect(rolesOf(claim(0, 'AGENT', 'u1'), claim(1, 'CUSTOMER', 'u2'), claim(2, 'AGENT', 'u3'))).toEqual(['AGENT', 'CUSTOMER', 'AGENT'])
  })

  test("UNKNOWN without evidence, with another speaker's words, or with two roles", () => {
    expect(rolesOf(claim(0, 'AGENT'), claim(1, 'CUSTOMER', 'u3'), claim(2, 'AGENT', 'u3'), claim(2, 'CUSTOMER', 'u3'))).toEqual([
      'UNKNOWN',
      'UNKNOWN',
      'UNKNOWN',
    ])
  })

  test('the same role for all speakers names nobody', () => {
    expect(rolesOf(claim(0, 'CUSTOMER', 'u1'), claim(1, 'CUSTOMER', 'u2'), claim(2, 'CUSTOMER', 'u3'))).toEqual([
      'UNKNOWN',
      'UNKNOWN',
      'UNKNOWN',
    ])
  })
})
