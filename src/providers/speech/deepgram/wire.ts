import { z } from 'zod'

// https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded. Fields that we do not read are not validated.
const sentimentName = z.enum(['positive', 'neutral', 'negative'])
const word = z.looseObject({ start: z.number(), end: z.number() })
const utterance = z.looseObject({
  start: z.number(),
  end: z.number(),
  channel: z.int().default(0),
  speaker: z.int().nullish(),
  transcript: z.string(),
})
const topics = z.looseObject({
  segments: z.array(z.looseObject({ topics: z.array(z.looseObject({ topic: z.string(), confidence_score: z.number() })) })),
})
const sentiments = z.looseObject({
  segments: z.array(
    z.looseObject({ start_word: z.int(), end_word: z.int(), sentiment: sentimentName, sentiment_score: z.number().default(0) }),
  ),
  average: z.looseObject({ sentiment: sentimentName, sentiment_score: z.number() }).nullish(),
})

export const answerSchema = z.looseObject({
  metadata: z.looseObject({
    duration: z.number().nonnegative(),
    models: z.array(z.string()).default([]),
    model_info: z.record(z.string(), z.looseObject({ name: z.string().optional() })).default({}),
    warnings: z.array(z.looseObject({ parameter: z.string().default(''), message: z.string().default('') })).nullish(),
  }),
  results: z.looseObject({
    channels: z.array(
      z.looseObject({
        detected_language: z.string().optional(),
        alternatives: z.array(z.looseObject({ words: z.array(word).default([]) })),
      }),
    ),
    utterances: z.array(utterance).nullish(),
    summary: z.looseObject({ result: z.string().optional(), short: z.string().nullish() }).nullish(),
    topics: topics.nullish(),
    sentiments: sentiments.nullish(),
  }),
})
export type ListenAnswer = z.output<typeof answerSchema>

export const refusalSchema = z.looseObject({
  err_code: z.string().optional(),
  err_msg: z.string().optional(),
  category: z.string().optional(),
  message: z.string().optional(),
  details: z.string().optional(),
})
