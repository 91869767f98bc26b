import { defineTexts } from '../../../i18n/texts.ts'

export const useBookingTexts = defineTexts({
  en: {
    book: 'Book a visit',
    bookFor: (name: string) => `Book a visit for ${name}`,
    doctor: 'Doctor',
    anyDoctor: 'Any doctor',
    freeTimes: (day: string) => `Free times on ${day}`,
    zone: (zone: string) => `Times are those of the clinic (${zone}).`,
    none: 'No free time in the next 14 days',
    noneText: 'Choose another doctor.',
    cancel: 'Cancel',
    confirm: 'Book this time',
    booked: (when: string) => `The visit is booked: ${when}`,
    taken: 'Somebody else has just taken this time. Choose another one',
  },
  hi: {
    book: 'विज़िट बुक करें',
    bookFor: (name) => `${name} के लिए विज़िट बुक करें`,
    doctor: 'डॉक्टर',
    anyDoctor: 'कोई भी डॉक्टर',
    freeTimes: (day) => `${day} को खाली समय`,
    zone: (zone) => `समय क्लिनिक के अनुसार हैं (${zone})।`,
    none: 'अगले 14 दिनों में कोई खाली समय नहीं',
    noneText: 'दूसरा डॉक्टर चुनें।',
    cancel: 'रद्द करें',
    confirm: 'यह समय बुक करें',
    booked: (when) => `विज़िट बुक हो गई: ${when}`,
    taken: 'यह समय अभी किसी और ने ले लिया। दूसरा चुनें',
  },
})
