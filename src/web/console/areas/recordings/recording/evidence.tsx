import { useMemo } from 'react'
import { clockText } from '../../../ui/timer.tsx'
import type { Utterance } from './analysis.ts'
import type { Player } from './player.ts'
import { useRecordingTexts } from './texts.ts'
import { playByKeys } from './transcript.tsx'

export type EvidenceProps = { readonly ids: readonly string[]; readonly utterances: readonly Utterance[]; readonly player: Player }

/** The sentences that a statement follows from: a click plays one. */
export function Evidence({ ids, utterances, player }: EvidenceProps) {
  const texts = useRecordingTexts()
  const cited = useMemo(() => utterances.filter(({ id }) => ids.includes(id)), [ids, utterances])
  if (cited.length === 0) return null
  return (
    <span className="rec-evidence" role="group" aria-label={texts.evidence}>
      {cited.map(({ id, role, start, text }) => (
        <button
          key={id}
          type="button"
          className="rec-cited numbers"
          data-voice={role}
          title={text}
          onClick={() => player.seek(start, true)}
          {...playByKeys(player)}
        >
          {clockText(Math.floor(start))}
        </button>
      ))}
    </span>
  )
}
