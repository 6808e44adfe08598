// SPDX-License-Identifier: BSD-2-Clause
#include "stat/hist.h"

void hist_add(struct hist *h, uint64_t value)
{
	h->slots[hist_slot(value)]++;
	if (value > h->max)
		h->max = value;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (unsigned int i = 0; i < HIST_NR_SLOTS; i++)
		into->slots[i] += from->slots[i];
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t hist_total(const struct hist *h)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < HIST_NR_SLOTS; i++)
		total += h->slots[i];
	return total;
}

/* The point at a share (0…1) of a slot. */
static double slot_point(const struct hist *h, unsigned int slot, double share)
{
	double low = (double)hist_slot_low(slot);
	double high = (double)hist_slot_high(slot);
	double max = (double)h->max;

	if (max > 0 && (max < high || slot == HIST_NR_SLOTS - 1))
		high = max;
	/* A maximum below the slot is older than the slots: it cannot bound them. */
	if (high < low)
		return low;
	return low + share * (high - low);
}

double hist_quantile(const struct hist *h, double q)
{
	uint64_t total = hist_total(h), below = 0;
	unsigned int slot, last = 0;
	double rank;

	if (total == 0)
		return 0;
	rank = (q <= 0 ? 0 : q >= 1 ? 1 : q) * (double)total;
	for (slot = 0; slot < HIST_NR_SLOTS; slot++) {
		if (!h->slots[slot])
			continue;
		last = slot;
		if ((double)(below + h->slots[slot]) >= rank)
			return slot_point(h, slot,
					  (rank - (double)below) /
						  (double)h->slots[slot]);
		below += h->slots[slot];
	}
	return slot_point(h, last, 1); /* rounding of a total beyond 2^53 */
}
