import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { clockText } from '../../../ui/timer.tsx'
import type { Role, Utterance } from './analysis.ts'
import type { Player } from './player.ts'
import type { Peaks } from './sound.ts'
import { useRecordingTexts } from './texts.ts'
import { useSelected } from './use-selected.ts'

const barWidth = 2
const gap = 1.5
/** Of what was not played yet. */
const unplayed = 0.45

export type WaveformProps = {
  readonly player: Player
  readonly peaks: Peaks
  readonly utterances: readonly Utterance[]
  /** Seconds. */
  readonly duration: number
}

/** The recording as bars in the colour of who speaks. It is a slider: a click, a drag or the arrow keys go to a place. */
export function Waveform({ player, peaks, utterances, duration }: WaveformProps) {
  const texts = useRecordingTexts()
  const canvas = useCanvas({ player, peaks, utterances, duration })
  const seconds = useSelected(player.time, Math.floor)
  const seekAt = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    player.seek(((clientX - left) / width) * duration)
  }
  return (
    <div
      className="rec-wave"
      role="slider"
      tabIndex={0}
      aria-label={texts.position}
      aria-valuemin={0}
      aria-valuemax={Math.ceil(duration)}
      aria-valuenow={Math.min(seconds, Math.ceil(duration))}
      aria-valuetext={texts.timeOf(clockText(seconds), clockText(Math.round(duration)))}
      onKeyDown={(event) => seekByKey(event, player, duration)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekAt(event)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekAt(event)}
    >
      <canvas ref={canvas} />
    </div>
  )
}

function seekByKey(event: KeyboardEvent, player: Player, duration: number): void {
  const steps: Readonly<Record<string, number>> = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 30, PageDown: -30 }
  const step = steps[event.key]
  if (step !== undefined) player.skip(step)
  else if (event.key === 'Home') player.seek(0)
  else if (event.key === 'End') player.seek(duration)
  else return
  event.preventDefault()
}

/** Draws again with each frame of the player, and when the size or the colours change. */
function useCanvas({ player, peaks, utterances, duration }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const draw = useCallback(() => {
    if (canvas.current) drawBars(canvas.current, { peaks, utterances, duration, time: player.time.get() })
  }, [player, peaks, utterances, duration])
  useEffect(() => {
    draw()
    const removeTime = player.time.subscribe(draw)
    const size = new ResizeObserver(draw)
    if (canvas.current) size.observe(canvas.current)
    const colours = new MutationObserver(draw)
    colours.observe(document.documentElement, { attributes: true })
    return () => {
      removeTime()
      size.disconnect()
      colours.disconnect()
    }
  }, [player, draw])
  return canvas
}

type Bars = Pick<WaveformProps, 'peaks' | 'utterances' | 'duration'> & { readonly time: number }

function drawBars(canvas: HTMLCanvasElement, { peaks, utterances, duration, time }: Bars): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const brush = canvas.getContext('2d')
  if (!brush || duration <= 0) return
  brush.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const colours: Readonly<Record<Role, string>> = {
    AGENT: style.getPropertyValue('--rec-agent'),
    CUSTOMER: style.getPropertyValue('--rec-customer'),
    UNKNOWN: style.getPropertyValue('--ink-3'),
  }
  const silence = style.getPropertyValue('--edge')
  const count = Math.max(1, Math.floor(width / (barWidth + gap)))
  for (let bar = 0; bar < count; bar += 1) {
    const [from, to] = [(bar / count) * duration, ((bar + 1) / count) * duration]
    const speaking = utterances.find(({ start, end }) => start < to && end > from) ?? null
    const loudness = peaks ? loudnessIn(peaks, bar / count, (bar + 1) / count) : speaking ? 0.55 : 0
    const barHeight = Math.max(2, loudness * (height - 4))
    brush.globalAlpha = to <= time ? 1 : unplayed
    brush.fillStyle = speaking ? colours[speaking.role] : silence
    brush.beginPath()
    brush.roundRect(bar * (barWidth + gap), (height - barHeight) / 2, barWidth, barHeight, 1)
    brush.fill()
  }
  brush.globalAlpha = 1
  brush.fillStyle = style.getPropertyValue('--ink')
  brush.fillRect(Math.min(width - 1.5, (time / duration) * width), 0, 1.5, height)
}

function loudnessIn(peaks: readonly number[], from: number, to: number): number {
  const first = Math.floor(from * peaks.length)
  const part = peaks.slice(first, Math.max(first + 1, Math.floor(to * peaks.length)))
  return part.reduce((sum, peak) => sum + peak, 0) / part.length
}
