import { z } from 'zod'
import { indexAnalysis } from '../../src/features/recordings/search/index-analysis.ts'
import { retryWhileStoreIsAway } from '../../src/features/recordings/retry-while-store-is-away.ts'
import { readStoredAnalyses, writeStoredAnalysis } from '../../src/features/recordings/stored-analyses.ts'
import { isoMoment, systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import type { TranscriptIndex } from '../../src/ports/transcript-index.ts'
import { fixedConfiguration } from './fixed-configuration.ts'

/** Words that nearly every utterance has, so a search for them reads nearly every call. */
const common = 'the a to and of in you is it that for on we be with have this my at'.split(' ')
export const commonWords = common.join(' ')
/** In every transcript in another order: each word is there, the phrase is not. */
export const absentPhrase = `"${[...common.slice(9), ...common.slice(0, 9)].join(' ')}"`

const tries = 8

type Opened = { readonly store: Store; readonly transcriptIndex: TranscriptIndex }
type Wanted = { readonly workspaceId: string; readonly callId: string; readonly copies: number; readonly utterances: number }

/** Stores and indexes copies of the analysis of a call, each with so many utterances of 20 words. */
export async function copyAnalysis({ store, transcriptIndex }: Opened, { workspaceId, callId, copies, utterances }: Wanted): Promise<void> {
  const [analysis] = await readStoredAnalyses(store, workspaceId, [callId])
  const [first] = analysis?.utterances ?? []
  if (!analysis || !first) throw new Error(`${callId} has no analysis`)
  const ports = { store, transcriptIndex, clock: systemClock, configuration: fixedConfiguration() }
  for (let copy = 0; copy < copies; copy += 1) {
    const lines = Array.from({ length: utterances }, (_, index) => {
      return { ...first, id: `u${index + 1}`, start: index, end: index + 1, text: `${commonWords} w${copy}x${index}` }
    })
    const at = isoMoment(Date.parse(analysis.analyzedAt) - copy * 1_000)
    const other = { ...analysis, callId: newId(), startedAt: at, utterances: lines }
    // The service that runs beside it writes to the same files.
    await retryWhileStoreIsAway(() => writeStoredAnalysis(ports, { workspaceId, callId: other.callId }, other), { tries })
    await retryWhileStoreIsAway(() => indexAnalysis(ports, workspaceId, other), { tries })
  }
}

const claims = z.looseObject({ workspaceId: z.string() })

/** The workspace that an access token of the stand-in names. */
export function workspaceOf(token: string): string {
  return claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).workspaceId
}

/** All fields of a match. */
export const wholeMatch =
  'callId agentId at outcome disposition sentiment matches snippets { id speaker role start end text highlights { from to } } analyzedAt expiresAt'

type Search = { readonly text: string; readonly first?: number; readonly match?: string }

/** One operation with so many searches, `s0` to `sN`. `match`: the fields of a match. */
export function manySearches(count: number, { text, first = 50, match = 'callId' }: Search): string {
  const fields = Array.from(
    { length: count },
    (_, index) => `s${index}: searchTranscripts(text: ${JSON.stringify(text)}, first: ${first}) { nodes { ${match} } }`,
  )
  return `{ ${fields.join(' ')} }`
}
