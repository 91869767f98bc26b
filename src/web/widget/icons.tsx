import type { JSX } from 'preact'

const shapes = {
  conversation:
    'M21 11.5a8.4 8.4 0 0 1-8.5 8.4 8.7 8.7 0 0 1-3.6-.8L3.5 20.5l1.5-4.7a8.2 8.2 0 0 1-1-4.3A8.4 8.4 0 0 1 12.5 3a8.4 8.4 0 0 1 8.5 8.5Z',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  onward: 'M9 5l7 7-7 7',
  send: 'M4.5 12h14M13 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  calendar:
    'M7 3v3M17 3v3M4 9.5h16M5.5 5h13A1.5 1.5 0 0 1 20 6.5v12a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-12A1.5 1.5 0 0 1 5.5 5Z',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  new: 'M12 20H5.5A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4H12M18.2 4.3a1.8 1.8 0 0 1 2.5 2.5L13 14.5l-3.5 1 1-3.5 7.7-7.7Z',
  alert: 'M12 8v5M12 16.5v.01M10.3 4 2.8 17.2A2 2 0 0 0 4.5 20h15a2 2 0 0 0 1.7-2.8L13.7 4a2 2 0 0 0-3.4 0Z',
  pin: 'M12 21s-7-6-7-11.2A7 7 0 0 1 19 9.8C19 15 12 21 12 21ZM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
} as const

/** Decoration: a text beside it has the meaning. Icons with a direction are mirrored in right-to-left text. */
export function Icon({ name }: { readonly name: keyof typeof shapes | 'stop' }): JSX.Element {
  const points = name === 'back' || name === 'onward' || name === 'send'
  return (
    <svg class={points ? 'icon points' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {name === 'stop' ? <rect x="7" y="7" width="10" height="10" rx="2" class="full" /> : <path d={shapes[name]} />}
    </svg>
  )
}
