import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeConversation, type SpeechSegment } from '../../src/features/recordings/conversation.ts'

const [agent, customer] = [0, 1]
const segment = (speaker: number, start: number, end: number): SpeechSegment => ({ speaker, start, end })
const shareOf = (segments: readonly SpeechSegment[], speaker: number, seconds = 60) =>
  describeConversation(segments, seconds).speakers.find((share) => share.speaker === speaker)

describe('scripted conversations', () => {
  test('speakers who alternate: shares of the conversation time, and the pauses', () => {
    const conversation = [segment(agent, 1, 4), segment(customer, 5, 11), segment(agent, 11.5, 14.5)]
    expect(describeConversation(conversation, 20)).toEqual({
      speakers: [
        { speaker: agent, talkSeconds: 6, talkShare: 0.5, longestMonologueSeconds: 3, interruptions: 0 },
        { speaker: customer, talkSeconds: 6, talkShare: 0.5, longestMonologueSeconds: 6, interruptions: 0 },
      ],
      silenceSeconds: 8,
      longestSilenceSeconds: 5.5,
    })
  })

  test('consecutive segments are one monologue with its pauses; another speaker ends it', () => {
    const conversation = [segment(agent, 0, 5), segment(agent, 6, 12), segment(customer, 13, 14), segment(agent, 15, 20)]
    expect(shareOf(conversation, agent)?.longestMonologueSeconds).toBe(12)
  })

  test('an "mm-hm" neither ends a monologue nor interrupts it', () => {
    const conversation = [segment(agent, 0, 10), segment(customer, 4, 4.6), segment(agent, 10.2, 15)]
    expect(shareOf(conversation, agent)?.longestMonologueSeconds).toBe(15)
    expect(shareOf(conversation, customer)).toMatchObject({ interruptions: 0, talkSeconds: 0.6 })
  })

  test("a speaker who begins during the other's speech and continues interrupts", () => {
    const conversation = [segment(agent, 0, 6), segment(customer, 5, 9), segment(agent, 8, 12)]
    expect(shareOf(conversation, customer)?.interruptions).toBe(1)
    expect(shareOf(conversation, agent)?.interruptions).toBe(1)
  })

  test('a short overlap is no interruption', () => {
    expect(shareOf([segment(agent, 0, 6), segment(customer, 5.8, 9)], customer)?.interruptions).toBe(0)
    expect(shareOf([segment(agent, 0, 6), segment(customer, 5.7, 9)], customer)?.interruptions).toBe(1)
  })

  test('who begins with the other, or stops with them, does not interrupt; who stops with a monologue does not end it', () => {
    expect(shareOf([segment(agent, 0, 6), segment(customer, 0, 9)], customer)?.interruptions).toBe(0)
    expect(shareOf([segment(agent, 0, 6), segment(customer, 5, 6)], customer)?.interruptions).toBe(0)
    const conversation = [segment(agent, 0, 10), segment(customer, 9, 10), segment(agent, 10, 15)]
    expect(shareOf(conversation, agent)?.longestMonologueSeconds).toBe(15)
  })

  test('a segment without length is nobody', () => {
    expect(describeConversation([segment(agent, 0, 6), segment(customer, 7, 7)], 10).speakers.map(({ speaker }) => speaker)).toEqual([
      agent,
    ])
  })

  test('nobody interrupts themselves, and overlapping segments of one speaker count once', () => {
    const conversation = [segment(agent, 0, 6), segment(agent, 4, 8)]
    expect(shareOf(conversation, agent)).toMatchObject({ talkSeconds: 8, interruptions: 0, longestMonologueSeconds: 8, talkShare: 1 })
  })

  test('a recording without speech is silence', () => {
    expect(describeConversation([], 12.5)).toEqual({ speakers: [], silenceSeconds: 12.5, longestSilenceSeconds: 12.5 })
  })
})

test('in any conversation shares add up to one, and silence is the time without speech', () => {
  const segments = fc.array(
    fc.record({
      speaker: fc.integer({ min: 0, max: 3 }),
      start: fc.integer({ min: 0, max: 900 }),
      length: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(segments, (drawn) => {
      const conversation = drawn.map(({ speaker, start, length }) => segment(speaker, start / 10, (start + length) / 10))
      const { speakers, silenceSeconds, longestSilenceSeconds } = describeConversation(conversation, 100)
      const spoken = new Set(conversation.flatMap(({ start, end }) => range(Math.round(start * 10), Math.round(end * 10))))
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
