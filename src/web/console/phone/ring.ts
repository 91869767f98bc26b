/** Two tones, one second on, two off: made here, so that nothing has to be loaded when the phone rings. */
export function startRinging(): () => void {
  const context = new AudioContext()
  const gain = context.createGain()
  gain.gain.value = 0
  gain.connect(context.destination)
  const tones = [440, 480].map((frequency) => {
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(gain)
    tone.start()
    return tone
  })
  const ringOnce = (): void => {
    const { currentTime } = context
    gain.gain.setTargetAtTime(0.12, currentTime, 0.02)
    gain.gain.setTargetAtTime(0, currentTime + 1, 0.05)
  }
  ringOnce()
  const timer = setInterval(ringOnce, 3_000)
  return () => {
    clearInterval(timer)
    for (const tone of tones) tone.stop()
    void context.close()
  }
}

let shown: Notification | null = null

/** While the person looks elsewhere, if they allowed it. One with another text takes its place, without a sound. */
export function notify(title: string, body: string): void {
  if (!document.hidden || !('Notification' in globalThis) || Notification.permission !== 'granted') return
  const notification = new Notification(title, { body, tag: 'console-call', requireInteraction: true })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
  shown = notification
}

export function closeNotification(): void {
  shown?.close()
  shown = null
}
