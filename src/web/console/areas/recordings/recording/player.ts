import { useEffect, useState } from 'react'
import { createStore, type Readable, type Store } from '../../../state/store.ts'
import { storedChoice } from '../../../state/stored-choice.ts'

export const speeds = ['0.75', '1', '1.25', '1.5', '2'] as const
export type Speed = (typeof speeds)[number]
const storedSpeed = storedChoice('console-playback-speed', speeds)

/** Plays one recording. Without its sound, it still has a place in the transcript. */
export type Player = {
  /** Seconds from the start; with each frame while it plays. */
  readonly time: Readable<number>
  /** Seconds; 0 until it is known. */
  readonly duration: Readable<number>
  readonly isPlaying: Readable<boolean>
  /** The browser cannot play this format. */
  readonly isUnplayable: Readable<boolean>
  readonly speed: Readable<Speed>
  /** The sound, and where to begin. */
  readonly load: (url: string) => void
  readonly toggle: () => void
  /** Goes there; `isPlayed`: and plays from there. */
  readonly seek: (seconds: number, isPlayed?: boolean) => void
  readonly skip: (seconds: number) => void
  readonly chooseSpeed: (speed: Speed) => void
  readonly end: () => void
}

/** `startAt`: a place that the person chose: it is played from there as soon as the sound has come. */
function createPlayer(startAt: number | null): Player {
  const sound = new Audio()
  sound.preload = 'auto'
  const [time, duration] = [createStore(startAt ?? 0), createStore(0)]
  const [isPlaying, isUnplayable, speed] = [createStore(false), createStore(false), createStore(storedSpeed.read() ?? '1')]
  const play = (): void => void sound.play().catch(() => isPlaying.set(false))
  follow(sound, { time, duration, isPlaying, isUnplayable })
  sound.addEventListener('loadedmetadata', () => {
    sound.currentTime = time.get()
    sound.playbackRate = Number(speed.get())
    // Refused before the first click of the person.
    if (startAt !== null) play()
  })
  const isLoaded = (): boolean => sound.readyState > 0
  const seek = (seconds: number, isPlayed = false): void => {
    const to = Math.min(Math.max(0, seconds), duration.get() || Number.POSITIVE_INFINITY)
    if (isLoaded()) sound.currentTime = to
    time.set(to)
    if (isPlayed && isLoaded()) play()
  }
  return {
    time,
    duration,
    isPlaying,
    isUnplayable,
    speed,
    load: (url) => void (sound.src = url),
    toggle() {
      if (!isLoaded()) return
      if (sound.paused) play()
      else sound.pause()
    },
    seek,
    skip: (seconds) => seek(time.get() + seconds),
    chooseSpeed(chosen) {
      storedSpeed.write(chosen)
      speed.set(chosen)
      sound.playbackRate = Number(chosen)
    },
    end() {
      sound.pause()
      sound.removeAttribute('src')
      sound.load()
    },
  }
}

type Followed = {
  readonly time: Store<number>
  readonly duration: Store<number>
  readonly isPlaying: Store<boolean>
  readonly isUnplayable: Store<boolean>
}

function follow(sound: HTMLAudioElement, { time, duration, isPlaying, isUnplayable }: Followed): void {
  let frame = 0
  const tick = (): void => {
    time.set(sound.currentTime)
    frame = requestAnimationFrame(tick)
  }
  const rest = (): void => {
    cancelAnimationFrame(frame)
    isPlaying.set(false)
  }
  sound.addEventListener('loadedmetadata', () => Number.isFinite(sound.duration) && duration.set(sound.duration))
  sound.addEventListener('play', () => {
    cancelAnimationFrame(frame)
    tick()
    isPlaying.set(true)
  })
  sound.addEventListener('pause', rest)
  sound.addEventListener('ended', rest)
  sound.addEventListener('error', () => isUnplayable.set(sound.hasAttribute('src')))
  // A background tab draws no frames.
  sound.addEventListener('timeupdate', () => sound.readyState > 0 && time.set(sound.currentTime))
}

/** A player for as long as the component is on the screen. */
export function usePlayer(startAt: number | null): Player {
  const [player] = useState(() => createPlayer(startAt))
  useEffect(() => () => player.end(), [player])
  return player
}
