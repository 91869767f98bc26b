import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeConversation, type Turn } from '../../src/features/recordings/conversation.ts'

const [agent, customer] = [0, 1]
const turn = (speaker: number, start: number, end: number): Turn => ({ speaker, start, end })
const shareOf = (turns: readonly Turn[], speaker: number, seconds = 60) =>
  describeConversation(turns, seconds).speakers.find((share) => share.speaker === speaker)

describe('scripted talks', () => {
  test('one after the other: shares of what was said, and the pauses between', () => {
    const talk = [turn(agent, 1, 4), turn(customer, 5, 11), turn(agent, 11.5, 14.5)]
    expect(describeConversation(talk, 20)).toEqual({
      speakers: [
        { speaker: agent, talkSeconds: 6, talkShare: 0.5, longestMonologueSeconds: 3, interruptions: 0 },
        { speaker: customer, talkSeconds: 6, talkShare: 0.5, longestMonologueSeconds: 6, interruptions: 0 },
      ],
      silenceSeconds: 8,
      longestSilenceSeconds: 5.5,
    })
  })

  test('turns in a row are one monologue, with its pauses; another voice in between ends it', () => {
    const talk = [turn(agent, 0, 5), turn(agent, 6, 12), turn(customer, 13, 14), turn(agent, 15, 20)]
    expect(shareOf(talk, agent)?.longestMonologueSeconds).toBe(12)
  })

  test('an "mm-hm" neither ends a monologue nor interrupts it', () => {
    const talk = [turn(agent, 0, 10), turn(customer, 4, 4.6), turn(agent, 10.2, 15)]
    expect(shareOf(talk, agent)?.longestMonologueSeconds).toBe(15)
    expect(shareOf(talk, customer)).toMatchObject({ interruptions: 0, talkSeconds: 0.6 })
  })

  test('who begins while the other speaks, and goes on, interrupts', () => {
    const talk = [turn(agent, 0, 6), turn(customer, 5, 9), turn(agent, 8, 12)]
    expect(shareOf(talk, customer)?.interruptions).toBe(1)
    expect(shareOf(talk, agent)?.interruptions).toBe(1)
  })

  test('beginning a moment before the other has ended is how people take turns', () => {
    expect(shareOf([turn(agent, 0, 6), turn(customer, 5.8, 9)], customer)?.interruptions).toBe(0)
    expect(shareOf([turn(agent, 0, 6), turn(customer, 5.7, 9)], customer)?.interruptions).toBe(1)
  })

  test('nobody interrupts themselves, and overlapping turns of one voice count once', () => {
    const talk = [turn(agent, 0, 6), turn(agent, 4, 8)]
    expect(shareOf(talk, agent)).toMatchObject({ talkSeconds: 8, interruptions: 0, longestMonologueSeconds: 8, talkShare: 1 })
  })

  test('a recording without a word is silence', () => {
    expect(describeConversation([], 12.5)).toEqual({ speakers: [], silenceSeconds: 12.5, longestSilenceSeconds: 12.5 })
  })
})

test('whatever the talk: shares add up to one, and silence is what nobody spoke in', () => {
  const turns = fc.array(
    fc.record({
      speaker: fc.integer({ min: 0, max: 3 }),
      start: fc.integer({ min: 0, max: 900 }),
      length: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(turns, (drawn) => {
      const talk = drawn.map(({ speaker, start, length }) => turn(speaker, start / 10, (start + length) / 10))
      const { speakers, silenceSeconds, longestSilenceSeconds } = describeConversation(talk, 100)
      const spoken = new Set(talk.flatMap(({ start, end }) => range(Math.round(start * 10), Math.round(end * 10))))
      expect(speakers.reduce((sum, { talkShare }) => sum + talkShare, 0)).toBeCloseTo(1, 2)
      expect(silenceSeconds).toBeCloseTo((1_000 - spoken.size) / 10, 6)
      expect(longestSilenceSeconds).toBeLessThanOrEqual(silenceSeconds)
    }),
    { numRuns: 500 },
  )
})

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
