import { LocateFixed } from 'lucide-react'
import { type KeyboardEvent, memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { clockText } from '../../../ui/timer.tsx'
import type { Utterance } from './analysis.ts'
import { markedWords, wordsOf } from './marked-words.tsx'
import type { Player } from './player.ts'
import { useRecordingTexts } from './texts.ts'
import { useSelected } from './use-selected.ts'
import type { VoiceName } from './voices.ts'

type TranscriptProps = {
  readonly player: Player
  readonly utterances: readonly Utterance[]
  readonly voices: readonly VoiceName[]
  /** Words to mark. */
  readonly q: string | undefined
}

/** What was said. The sentence that is heard is marked, and a click on one plays it. */
export function Transcript({ player, utterances, voices, q }: TranscriptProps) {
  const texts = useRecordingTexts()
  const frame = useRef<HTMLDivElement>(null)
  const current = useSelected(player.time, (time) => utterances.findLastIndex(({ start }) => start <= time + 0.05))
  const { isFollowing, follow, leave } = useFollowing(frame, player, current)
  const words = useMemo(() => wordsOf(q), [q])
  return (
    <section className="rec-card rec-transcript-card" aria-label={texts.transcript} data-panel="transcript">
      <header className="rec-card-head">
        <h2>{texts.transcript}</h2>
        {!isFollowing && (
          <Button size="s" look="quiet" icon={<LocateFixed />} onPress={follow}>
            {texts.follow}
          </Button>
        )}
      </header>
      {utterances.length === 0 && <p className="rec-quiet">{texts.noSpeech}</p>}
      <div ref={frame} className="rec-transcript" onWheel={leave} onTouchMove={leave}>
        <ol>
          {utterances.map((utterance, index) => (
            <Sentence
              key={utterance.id}
              utterance={utterance}
              player={player}
              words={words}
              isCurrent={index === current}
              name={utterance.speaker === utterances[index - 1]?.speaker ? null : nameIn(voices, utterance)}
            />
          ))}
        </ol>
      </div>
    </section>
  )
}

function nameIn(voices: readonly VoiceName[], { speaker }: Utterance): string {
  return voices.find((voice) => voice.speaker === speaker)?.name ?? ''
}

type SentenceProps = {
  readonly utterance: Utterance
  readonly player: Player
  readonly words: ReadonlySet<string>
  readonly isCurrent: boolean
  /** Null: the same voice goes on. */
  readonly name: string | null
}

const Sentence = memo(({ utterance: { id, role, start, text }, player, words, isCurrent, name }: SentenceProps) => {
  const texts = useRecordingTexts()
  const at = clockText(Math.floor(start))
  return (
    <li data-voice={role} data-first={name !== null}>
      {name !== null && <p className="rec-voice">{name}</p>}
      <button
        type="button"
        className="rec-sentence"
        data-utterance={id}
        title={texts.playFrom(at)}
        {...(isCurrent && { 'aria-current': 'true' })}
        onClick={() => player.seek(start, true)}
        {...playByKeys(player)}
      >
        <span className="rec-time numbers">{at}</span>
        <span>{markedWords(text, words)}</span>
      </button>
    </li>
  )
})

/** Space plays and pauses, also on a sentence that was clicked; Enter plays from there. */
export function playByKeys(player: Player) {
  return {
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== ' ') return
      event.preventDefault()
      if (!event.repeat) player.toggle()
    },
    // Firefox would click here.
    onKeyUp: (event: KeyboardEvent) => event.key === ' ' && event.preventDefault(),
  }
}

/** Scrolls to the sentence that is heard, until the person scrolls. */
function useFollowing(frame: RefObject<HTMLElement | null>, player: Player, current: number) {
  const [isFollowing, setFollowing] = useState(true)
  const isPlaying = useStore(player.isPlaying)
  useEffect(() => {
    const shown = frame.current
    const sentence = shown?.querySelector('[aria-current]')
    if (!shown || !sentence || !isFollowing) return
    if (shown.scrollHeight <= shown.clientHeight)
      return isPlaying ? sentence.scrollIntoView({ block: 'nearest', behavior: 'smooth' }) : undefined
    const [box, own] = [shown.getBoundingClientRect(), sentence.getBoundingClientRect()]
    const offset = own.top - box.top - (box.height - own.height) / 3
    shown.scrollBy({ top: offset, behavior: 'smooth' })
  }, [frame, current, isFollowing, isPlaying])
  return { isFollowing, follow: () => setFollowing(true), leave: () => isPlaying && setFollowing(false) }
}
