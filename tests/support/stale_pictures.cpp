// A library of pictures of a build before `invar_picture_build`.
extern "C" {
extern const int invar_picture_library;
const int invar_picture_library = 0;
}
