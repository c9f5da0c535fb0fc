/* The firmware's ear on a computer: bytes on standard input, the commands it understands on standard output. */
#include <stdio.h>

#include "protocol.h"

int main(void) {
    static reader_t reader;
    int byte;
    while ((byte = getchar()) != EOF) {
        if (!reader_take(&reader, (char)byte))
            continue;
        printf("%c", reader.kind);
        for (int i = 0; i < reader.count; i++)
            printf(" %lX", (unsigned long)reader.fields[i]);
        printf("\n");
    }
    printf("damaged %u\n", reader.damaged);
    return 0;
}
