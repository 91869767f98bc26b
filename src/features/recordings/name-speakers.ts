import type { RecordingAnalysis, SpeakerRole } from './recording-analysis.ts'
import type { FilledForm } from './insight-form.ts'
import type { Utterance } from './number-utterances.ts'

export type NamedSpeaker = Pick<RecordingAnalysis['speakers'][number], 'speaker' | 'role' | 'namedBy' | 'evidence'>

/** For recordings with a channel per party. `agentChannel`: 0 or 1. */
export function nameByChannel(utterances: readonly Utterance[], agentChannel: number): readonly NamedSpeaker[] {
  return speakersOf(utterances).map((speaker) => ({
    speaker,
    role: speaker === agentChannel ? 'AGENT' : 'CUSTOMER',
    namedBy: 'CHANNEL',
    evidence: [],
  }))
}

/**
 * The roles that the model gives, if it proves them: each role must cite utterances of that speaker. A call has an agent and a customer, so
 * nobody is named if the model gives all speakers the same role.
 */
export function nameByModel(utterances: readonly Utterance[], claimed: FilledForm['speakers']): readonly NamedSpeaker[] {
  const speakerOf = new Map(utterances.map(({ id, speaker }) => [id, speaker]))
  const named = speakersOf(utterances).map((speaker): NamedSpeaker => {
    const claims = claimed.filter((claim) => claim.speaker === speaker)
    const [claim] = claims
    const evidence = [...new Set(claim?.evidence)]
    const shown = evidence.length > 0 && evidence.every((id) => speakerOf.get(id) === speaker)
    return claims.length === 1 && claim && claim.role !== 'UNKNOWN' && shown
      ? { speaker, role: claim.role, namedBy: 'MODEL', evidence }
      : unknown(speaker)
  })
  const roles = new Set(named.map(({ role }) => role))
  return named.length > 1 && roles.size === 1 ? named.map(({ speaker }) => unknown(speaker)) : named
}

export function nameNobody(utterances: readonly Utterance[]): readonly NamedSpeaker[] {
  return speakersOf(utterances).map(unknown)
}

export function roleIn(named: readonly NamedSpeaker[], speaker: number): SpeakerRole {
  return named.find((candidate) => candidate.speaker === speaker)?.role ?? 'UNKNOWN'
}

function unknown(speaker: number): NamedSpeaker {
  return { speaker, role: 'UNKNOWN', namedBy: null, evidence: [] }
}

function speakersOf(utterances: readonly Utterance[]): readonly number[] {
  return [...new Set(utterances.map(({ speaker }) => speaker))].toSorted((a, b) => a - b)
}
