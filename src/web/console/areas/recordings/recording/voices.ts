import { useNames } from '../names.ts'
import type { CallDetails } from '../call-details.ts'
import type { Analysis, Role } from './analysis.ts'

/** A voice of the recording, and whose it is. */
export type VoiceName = { readonly speaker: number; readonly role: Role; readonly name: string }

/** The person's name if it is known, else the role. */
export function useVoices(analysis: Analysis | null, details: CallDetails | null): readonly VoiceName[] {
  const names = useNames()
  const nameOf = (role: Role, speaker: number): string => {
    if (role === 'AGENT') return details?.agentName ?? names.AGENT
    if (role === 'CUSTOMER') return details?.customer ?? names.CUSTOMER
    return `${names.UNKNOWN} ${speaker + 1}`
  }
  return (analysis?.speakers ?? []).map(({ speaker, role }) => ({ speaker, role, name: nameOf(role, speaker) }))
}
