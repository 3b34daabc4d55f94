import { reviewSchema } from '../../copy/results.ts'

export const jobResults = { 'job review': reviewSchema }
