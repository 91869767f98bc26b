import { Download, Pause, Play, RotateCcw, RotateCw } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from '../../../state/store.ts'
import { useFormats } from '../../../i18n/format.ts'
import { serviceErrorOf } from '../../../data/service-error.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useProblem } from '../../../data/problem.ts'
import type { Analysis } from './analysis.ts'
import { type Player, speeds } from './player.ts'
import { SentimentStrip } from './sentiment-strip.tsx'
import type { Sound } from './sound.ts'
import { useRecordingTexts } from './texts.ts'
import { useSelected } from './use-selected.ts'
import type { VoiceName } from './voices.ts'
import { Waveform } from './waveform.tsx'

type PlayerCardProps = {
  readonly player: Player
  readonly sound: Sound
  readonly onRetry: () => void
  /** Null: not analysed. */
  readonly analysis: Analysis | null
  readonly duration: number
  readonly voices: readonly VoiceName[]
}

/** The sound of the call: waveform, mood, and what plays it. Space and the arrow keys work everywhere on the screen. */
export function PlayerCard({ player, sound, onRetry, analysis, duration, voices }: PlayerCardProps) {
  const texts = useRecordingTexts()
  const utterances = analysis?.utterances ?? []
  usePlayerKeys(player, utterances)
  const isUnplayable = useStore(player.isUnplayable)
  const peaks = sound.kind === 'READY' ? sound.peaks : null
  return (
    <section className="rec-player" aria-label={texts.player}>
      {(sound.kind === 'READY' || utterances.length > 0) && (
        <div className="rec-timeline">
          <Waveform player={player} peaks={peaks} utterances={utterances} duration={duration} />
          {analysis?.sentiment && <p className="rec-mood-title">{texts.sentiment}</p>}
          {analysis?.sentiment && <SentimentStrip sentiment={analysis.sentiment} duration={duration} />}
        </div>
      )}
      {isUnplayable && <Notice tone="warn" title={texts.unplayable} />}
      {sound.kind === 'FAILED' && <SoundFailure error={sound.error} onRetry={onRetry} />}
      <div className="rec-controls">
        <PlayButtons player={player} isReady={sound.kind === 'READY' && !isUnplayable} />
        <Clock player={player} duration={duration} />
        {sound.kind === 'LOADING' && <Loading share={sound.share} />}
        <ul className="rec-legend">
          {voices.map(({ speaker, role, name }) => (
            <li key={speaker} data-voice={role}>
              {name}
            </li>
          ))}
        </ul>
        <SpeedSelect player={player} />
        {sound.kind === 'READY' && (
          <Tooltip text={texts.download}>
            <a
              className="ui-button ui-button-quiet ui-button-m ui-button-square"
              href={sound.url}
              download="recording"
              aria-label={texts.download}
            >
              <Download aria-hidden="true" />
            </a>
          </Tooltip>
        )}
      </div>
    </section>
  )
}

function PlayButtons({ player, isReady }: { readonly player: Player; readonly isReady: boolean }) {
  const texts = useRecordingTexts()
  const isPlaying = useStore(player.isPlaying)
  return (
    <div className="rec-buttons">
      <Button look="quiet" icon={<RotateCcw />} aria-label={texts.skipBack} onPress={() => player.skip(-10)} />
      <Button
        look="primary"
        icon={isPlaying ? <Pause /> : <Play />}
        aria-label={isPlaying ? texts.pause : texts.play}
        isDisabled={!isReady}
        onPress={player.toggle}
      />
      <Button look="quiet" icon={<RotateCw />} aria-label={texts.skipOn} onPress={() => player.skip(10)} />
    </div>
  )
}

function Clock({ player, duration }: { readonly player: Player; readonly duration: number }) {
  const seconds = useSelected(player.time, Math.floor)
  return (
    <p className="rec-clock numbers">
      {clockText(seconds)} <span className="rec-quiet">{`/ ${clockText(Math.round(duration))}`}</span>
    </p>
  )
}

function Loading({ share }: { readonly share: number | null }) {
  const texts = useRecordingTexts()
  const { percent } = useFormats()
  return (
    <p className="rec-quiet" role="status">
      {texts.loadingSound} <span className="numbers">{share === null ? '' : percent(share)}</span>
    </p>
  )
}

function SoundFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const texts = useRecordingTexts()
  const { title, advice } = useProblem(error)
  const known = serviceErrorOf(error)
  const isLate = known?.code === 'NOT_FOUND' && known.data?.retryAfterSeconds !== undefined
  return (
    <Notice tone="warn" title={isLate ? texts.noSoundYet : texts.noSound} actions={<Button onPress={onRetry}>{texts.tryAgain}</Button>}>
      {!isLate && <p>{known?.code === 'NOT_FOUND' ? advice : `${title}. ${advice}`}</p>}
    </Notice>
  )
}

function SpeedSelect({ player }: { readonly player: Player }) {
  const texts = useRecordingTexts()
  const speed = useStore(player.speed)
  const options = speeds.map((value) => ({ value, label: `${value}×` }))
  return (
    <div className="rec-speed">
      <Select label={texts.speed} isLabelHidden options={options} value={speed} onChange={player.chooseSpeed} />
    </div>
  )
}

function usePlayerKeys(player: Player, utterances: Analysis['utterances']): void {
  const texts = useRecordingTexts()
  const shortcuts = useMemo(() => {
    const starts = utterances.map(({ start }) => start)
    const toSentence = (step: -1 | 1): void => {
      const now = player.time.get()
      // A second press within a sentence's first second goes to the one before it.
      const to = step === 1 ? starts.find((start) => start > now + 0.05) : starts.findLast((start) => start < now - 1)
      if (to !== undefined) player.seek(to)
    }
    return [
      { keys: ' ', label: texts.keyPlay, run: player.toggle },
      { keys: 'ArrowLeft', label: texts.keyBack, run: () => player.skip(-5) },
      { keys: 'ArrowRight', label: texts.keyOn, run: () => player.skip(5) },
      { keys: 'j', label: texts.keyAfter, run: () => toSentence(1) },
      { keys: 'k', label: texts.keyBefore, run: () => toSentence(-1) },
    ]
  }, [player, utterances, texts])
  useShortcuts(shortcuts)
}
