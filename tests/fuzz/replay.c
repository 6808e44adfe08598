// SPDX-License-Identifier: BSD-2-Clause
/* Every file of the corpus once, without libFuzzer: for the test runner. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/recording.c"

#define CORPUS "tests/fuzz/corpus/recording"

static int is_seed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void replay(const char *name)
{
	static unsigned char data[1 << 20];
	char path[512];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), CORPUS "/%s", name);
	file = fopen(path, "r");
	if (!file) {
		printf("not ok - %s\n", name);
		return;
	}
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	/* If it dies of this, the runner says so. */
	LLVMFuzzerTestOneInput(data, size);
	printf("ok - %s\n", name);
	fflush(stdout);
}

int main(void)
{
	struct dirent **entries;
	int nr = scandir(CORPUS, &entries, is_seed, alphasort), i;

	for (i = 0; i < nr; i++) {
		replay(entries[i]->d_name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return nr <= 0;
}
